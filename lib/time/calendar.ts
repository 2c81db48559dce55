import { realNow } from "@/lib/time/clock";

/** The zone of the interface's days, months and local times. */
export const TIME_ZONE = "America/Sao_Paulo";

/** The zone has had no daylight saving since 2019, so a day always starts and ends at this offset. */
const OFFSET = "-03:00";

/** A day without a change of the clocks. */
export const DAY_MS = 86_400_000;

/** The first instant of a day that is written YYYY-MM-DD. */
export const startOfDay = (day: string) => new Date(`${day}T00:00:00${OFFSET}`);

/** The first instant after a day that is written YYYY-MM-DD. */
export const endOfDay = (day: string) => new Date(startOfDay(day).getTime() + DAY_MS);

/** How far from midnight in UTC the zone's is. */
const MIDNIGHT_MS = startOfDay("1970-01-01").getTime();

/**
 * The last instant before an end, where that is a midnight, because people read of an end on a day, never at 00:00 of the
 * day after it.
 */
export const lastInstant = (end: Date) =>
  (end.getTime() - MIDNIGHT_MS) % DAY_MS === 0 ? new Date(end.getTime() - 1) : end;

const month = new Intl.DateTimeFormat("en-CA", { timeZone: TIME_ZONE, year: "numeric", month: "2-digit" });

/** The month of an instant, as "2026-01". */
export const monthOf = (at: Date) => month.format(at);

/** The current month in real time, as "2026-01". */
export const thisMonth = () => monthOf(realNow());

/** The first instant of a month that is written YYYY-MM, and the first one after it. */
export function monthBounds(text: string): [from: Date, until: Date] {
  const [year = 0, number = 0] = text.split("-").map(Number);
  const next = new Date(Date.UTC(year, number)).toISOString().slice(0, 7);
  return [startOfDay(`${text}-01`), startOfDay(`${next}-01`)];
}

/** The last day of a month that is written YYYY-MM. */
export function lastDayOf(text: string): string {
  const [year = 0, number = 0] = text.split("-").map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

const local = new Intl.DateTimeFormat("sv-SE", { timeZone: TIME_ZONE, dateStyle: "short", timeStyle: "medium" });

/** An instant as "YYYY-MM-DD HH:mm:ss" in the zone; the Swedish locale writes this form. */
export const localTime = (at: Date) => local.format(at);

/** ISO 8601 with the zone's offset, the form of the times of a plan's splits. */
export const isoLocal = (at: Date) => localTime(at).replace(" ", "T") + OFFSET;

/** The `count` days up to the one of an instant, as YYYY-MM-DD, oldest first. */
export function lastDays(at: Date, count: number): string[] {
  const day = localTime(at).slice(0, 10);
  const noon = new Date(`${day}T12:00:00Z`).getTime();
  return Array.from({ length: count }, (_, place) =>
    new Date(noon - (count - 1 - place) * DAY_MS).toISOString().slice(0, 10),
  );
}
