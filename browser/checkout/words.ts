import { type PeriodName, periodOf } from "@/lib/methods/periods";
import { moneyText } from "@/lib/money";
import { lastInstant, localTime } from "@/lib/time/calendar";
import type { Locale } from "@/messages";
import en from "@/messages/en/checkout.json";
import enMethods from "@/messages/en/methods.json";
import pt from "@/messages/pt-BR/checkout.json";
import ptMethods from "@/messages/pt-BR/methods.json";

const catalogues = { "pt-BR": pt.checkout, en: en.checkout };
const methodNames = { "pt-BR": ptMethods.methods, en: enMethods.methods };
const MONTHS = {
  "pt-BR": ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
  en: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
};

export type Words = ReturnType<typeof wordsIn>;

/** The checkout's texts in a language, and how it writes times. */
export function wordsIn(locale: Locale) {
  const texts = catalogues[locale];
  /** "14:05". */
  const clock = (at: Date) => localTime(at).slice(11, 16);
  /** "20 nov 2026" of a day that is written YYYY-MM-DD. */
  const day = (text: string) => {
    const [year, month, date] = text.split("-").map(Number);
    return `${date} ${MONTHS[locale][(month ?? 1) - 1]} ${year}`;
  };
  /** "20 nov 2026, 14:05", in the zone of every time here. */
  const full = (at: Date) => `${day(localTime(at).slice(0, 10))}, ${clock(at)}`;
  /** An end, where it is near only its minute; one at a midnight is at 23:59 of the day before. */
  const until = (end: Date, isNear: boolean) => (isNear ? clock : full)(lastInstant(end));
  const money = (cents: number) => moneyText(cents, locale);
  const { everyDay, everyWeek, everyMonth, everyQuarter, everyHalfYear, everyYear } = texts;
  const inDays: Partial<Record<number, string>> = { 1: everyDay, 7: everyWeek, 365: everyYear };
  const inMonths: Record<PeriodName, string> = {
    ...{ weekly: everyWeek, monthly: everyMonth, quarterly: everyQuarter },
    ...{ semiannual: everyHalfYear, annual: everyYear },
  };
  /** "por semana", "a cada 30 dias", and of a period of calendar months "por mês". */
  const period = (days: number, isInMonths = false) => {
    const named = isInMonths ? periodOf(days) : undefined;
    return (named ? inMonths[named.name] : inDays[days]) ?? fill(texts.every, { days: String(days) });
  };
  return { locale, texts, methods: methodNames[locale], day, full, until, money, period };
}

/** A text with its values in it. */
export const fill = (text: string, values: Record<string, string>) =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
