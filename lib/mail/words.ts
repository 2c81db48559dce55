import compile from "icu-minify/compile";
import format from "icu-minify/format";
import type { Template } from "@/lib/mail/templates";
import { moneyText, percentText } from "@/lib/money";
import { TIME_ZONE } from "@/lib/time/calendar";
import type { Locale, Messages } from "@/messages";
import { catalogues } from "@/messages/catalogues";

type Texts = Messages["mail"];
type Label = keyof Texts["labels"];
export type Values = Record<string, string | number>;

const formatters = {
  getDateTimeFormat: (...args: ConstructorParameters<typeof Intl.DateTimeFormat>) => new Intl.DateTimeFormat(...args),
  getNumberFormat: (...args: ConstructorParameters<typeof Intl.NumberFormat>) => new Intl.NumberFormat(...args),
  getPluralRules: (...args: ConstructorParameters<typeof Intl.PluralRules>) => new Intl.PluralRules(...args),
};

const DAY = { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" } as const;

const INSTANT = {
  timeZone: TIME_ZONE,
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;

const known = new Map<Locale, Words>();

/** The texts of mails in one language. Mails are rendered outside of pages, so the catalogue is read directly. */
export function wordsIn(locale: Locale): Words {
  const words = known.get(locale) ?? makeWords(locale);
  known.set(locale, words);
  return words;
}

function makeWords(locale: Locale) {
  const day = new Intl.DateTimeFormat(locale, DAY);
  const instant = new Intl.DateTimeFormat(locale, INSTANT);
  const { mail: texts, methods, refunds }: Pick<Messages, "mail" | "methods" | "refunds"> = catalogues[locale];
  const fill = (text: string, values: Values = {}) => String(format(compile(text), locale, values, { formatters }));
  return {
    fill,
    texts,
    methods,
    rejections: refunds.categories,
    label: (name: Label) => texts.labels[name],
    /** A text of a template, or undefined where it has none of that name. */
    of: (template: Template, name: string, values: Values) => {
      const text = (texts[template] as Partial<Record<string, string>>)[name];
      return text === undefined ? undefined : fill(text, values);
    },
    money: (cents: number) => moneyText(cents, locale),
    percent: (basisPoints: number) => percentText(basisPoints / 100, locale),
    /** "20 nov 2026" of a day that is written YYYY-MM-DD. */
    day(text: string) {
      const part = partsOf(day, new Date(`${text}T12:00:00Z`));
      return `${part.day} ${part.month?.replace(".", "")} ${part.year}`;
    },
    /** "20 nov 2026, 14:05" in São Paulo. */
    instant(iso: string) {
      const part = partsOf(instant, new Date(iso));
      return `${part.day} ${part.month?.replace(".", "")} ${part.year}, ${part.hour}:${part.minute}`;
    },
  };
}

const partsOf = (format: Intl.DateTimeFormat, at: Date): Partial<Record<Intl.DateTimeFormatPartTypes, string>> =>
  Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));

export type Words = ReturnType<typeof makeWords>;
