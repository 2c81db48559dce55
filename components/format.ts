"use client";
import { useLocale, useTranslations } from "use-intl";
import { useClockOffset, useNow } from "@/components/clock";
import { type BillingName, billingMethods } from "@/lib/methods/methods";
import { moneyText, percentText } from "@/lib/money";
import { lastInstant, TIME_ZONE } from "@/lib/time/calendar";
import type { Locale } from "@/messages";

const MONTHS = {
  "pt-BR": ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"],
  en: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
};
const MINUTE = 60_000;

/**
 * "R$ 1.234,56" of cents, and in English "R$ 1,234.56". Formatted by us, so that server and browser agree to the letter. A
 * component writes amounts by `useNumbers`, in its reader's language.
 */
export const money = (cents: number, locale?: Locale) => moneyText(Math.round(cents), locale);

/** "R$ 500", "R$ 2,5 mil", "R$ 1 mi": short enough for an axis, with spaces that do not break. */
export function shortMoney(cents: number, locale: Locale): string {
  const reais = cents / 100;
  const [value, size] = reais >= 1e6 ? [reais / 1e6, 2] : reais >= 1e3 ? [reais / 1e3, 1] : [reais, 0];
  if (size === 0 && reais % 1 !== 0) return money(cents, locale);
  const digits = String(Math.round(value * 10) / 10);
  return locale === "en"
    ? `R$\u00a0${digits}${["", "k", "m"][size]}`
    : `R$\u00a0${digits.replace(".", ",")}${["", "\u00a0mil", "\u00a0mi"][size]}`;
}

/**
 * Amounts of cents, and percentages as the API writes them ("12,5%", in English "12.5 %"), in the reader's language.
 */
export function useNumbers() {
  const locale = useLocale();
  return {
    money: (cents: number) => money(cents, locale),
    percent: (value: number | string) => percentText(value, locale),
  };
}

/** Cents of an amount as the API writes it: a JSON number of reais, or a decimal string. */
export function cents(amount: number | string): number {
  const [whole = "0", places = ""] = (typeof amount === "number" ? amount.toFixed(2) : amount).split(".");
  const value = Number(whole.replace("-", "") + places.padEnd(2, "0").slice(0, 2));
  return whole.startsWith("-") ? -value : value;
}

/** "123.456.789-09", "12.ABC.345/01DE-35", or the text as it is. */
export function documentNumber(text: string): string {
  if (/^[\d*]{11}$/.test(text)) return text.replace(/(...)(...)(...)(..)/, "$1.$2.$3-$4");
  if (/^[0-9A-Z*]{14}$/.test(text)) return text.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
  return text;
}

/** "(11) 98765-4321", or the text as it is. */
export function phoneNumber(text: string): string {
  return text.replace(/^(\d{2})(\d{4,5})(\d{4})$/, "($1) $2-$3");
}

/** The day in São Paulo, "2026-11-20". */
export function dayOf(date: Date): string {
  const { year, month, day } = split(date);
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/**
 * "20 nov 2026, 14:05", "20 nov", "nov 2026" and "há 5 min", in the reader's language and São Paulo's time; of ends, "20
 * nov 2026, 23:59" and "20 nov".
 */
export function useDates() {
  const months = MONTHS[useLocale()];
  const t = useTranslations("time");
  const businessNow = useNow();
  const offset = useClockOffset();

  const day = (iso: string) => {
    const [, month, date] = iso.split("-");
    return `${Number(date)} ${months[Number(month) - 1]}`;
  };
  /** The day of an instant, with its year where that is another one than now. */
  const date = (iso: string) => {
    const { day: number, month, year } = split(new Date(iso));
    const name = `${number} ${months[Number(month) - 1]}`;
    return year === split(new Date(businessNow)).year ? name : `${name} ${year}`;
  };
  const month = (text: string) => `${months[Number(text.slice(5)) - 1]} ${text.slice(0, 4)}`;
  const full = (iso: string, withSeconds = false) => {
    const { year, month, day: date, hour, minute, second } = split(new Date(iso));
    return `${date} ${months[Number(month) - 1]} ${year}, ${hour}:${minute}${withSeconds ? `:${second}` : ""}`;
  };
  /** An end: one at a midnight is at 23:59 of the day before. */
  const until = (iso: string) => full(lastInstant(new Date(iso)).toISOString());
  /** The last day before an end. */
  const lastDay = (iso: string) => date(lastInstant(new Date(iso)).toISOString());
  /** `isReal` of what has no time on the account's clock, such as a delivery. */
  const relative = (iso: string, isReal = false) => {
    const now = isReal ? businessNow - offset : businessNow;
    const age = now - Date.parse(iso);
    if (age < -60 * MINUTE) return full(iso);
    if (age < -MINUTE) return t("inMinutes", { count: String(Math.ceil(-age / MINUTE)) });
    if (age < MINUTE) return t("now");
    if (age < 60 * MINUTE) return t("minutes", { count: String(Math.floor(age / MINUTE)) });
    if (age < 24 * 60 * MINUTE) return t("hours", { count: String(Math.floor(age / (60 * MINUTE))) });
    const { month, day: date, year, hour, minute } = split(new Date(iso));
    const name = `${date} ${months[Number(month) - 1]}`;
    return `${year === split(new Date(now)).year ? name : `${name} ${year}`}, ${hour}:${minute}`;
  };
  return { day, date, month, full, until, lastDay, relative };
}

type Periodic = { periodicity_days: number; billing_method?: BillingName };

/**
 * How often a plan is charged, in the reader's language: "a cada 30 dias", and by Pix Automático, whose periods are
 * calendar months, "por mês".
 */
export function usePeriod() {
  const t = useTranslations("time");
  return ({ periodicity_days: days, billing_method }: Periodic) =>
    t(billing_method && billingMethods[billing_method].inMonths ? "periodInMonths" : "period", { days });
}

type Part = "year" | "month" | "day" | "hour" | "minute" | "second";

function split(date: Date): Record<Part, string> {
  return Object.fromEntries(
    inZone()
      .formatToParts(date)
      .map(({ type, value }) => [type, type === "day" ? String(Number(value)) : value]),
  ) as Record<Part, string>;
}

let formatter: Intl.DateTimeFormat | undefined;

/** Made when the first time is shown, because a time zone costs a slow phone some 40 ms and Home shows no time. */
const inZone = () =>
  (formatter ??= new Intl.DateTimeFormat("en-GB", {
    timeZone: TIME_ZONE,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  }));
