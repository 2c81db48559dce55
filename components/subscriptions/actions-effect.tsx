"use client";
import type { ReactNode } from "react";
import { useNow } from "@/components/clock";
import { dayOf, useDates } from "@/components/format";
import { DAY_MS, lastInstant } from "@/lib/time/calendar";

/** Days on the account's clock, for sentences about what an action will do. */
export function useClock() {
  const today = dayOf(new Date(useNow()));
  const { day } = useDates();
  const named = (iso: string) => `${day(iso)} ${iso.slice(0, 4)}`;
  const later = (iso: string, days: number) =>
    new Date(Date.parse(`${iso}T12:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
  return {
    today,
    tomorrow: later(today, 1),
    /** "20 nov 2026" of an instant. */
    dayOf: (at: string) => named(dayOf(new Date(at))),
    /** The same of the last day before an end. */
    lastDayOf: (end: string) => named(dayOf(lastInstant(new Date(end)))),
    /** The same of the day that is so many days after another one, which is today unless given. */
    dayAfter: (days: number, from = today) => named(later(from, days)),
    /** How many whole days are left until an instant. */
    daysUntil: (at: string | null) =>
      at ? Math.max(0, (Date.parse(dayOf(new Date(at))) - Date.parse(today)) / DAY_MS) : 0,
  };
}

/** What an action will do, as sentences. */
export const Effects = ({ of }: { of: readonly ReactNode[] }) => (
  <ul className="grid list-disc gap-1.5 pl-4 marker:text-muted">
    {of.filter(Boolean).map((line) => (
      <li key={String(line)}>{line}</li>
    ))}
  </ul>
);
