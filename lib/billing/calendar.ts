import { Temporal } from "temporal-polyfill";
import { periodOf } from "@/lib/methods/periods";

// The billing calendar. Days are local days of the account's zone, written YYYY-MM-DD; a day begins
// at its first instant, which is not midnight where the clocks are set forward then.

/** How many answers of one function are remembered: subscriptions that are billed together share their days. */
const REMEMBERED = 10_000;

/** Remembers what a function of plain values answers. */
function remembering<Args extends (string | number | undefined)[], Answer>(work: (...args: Args) => Answer) {
  const known = new Map<string, Answer>();
  return (...args: Args): Answer => {
    const key = args.join(" ");
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const answer = work(...args);
    known.set(key, answer);
    return answer;
  };
}

const startMs = remembering((day: string, zone: string, hour?: number): number => {
  const date = Temporal.PlainDate.from(day);
  if (hour === undefined) return date.toZonedDateTime(zone).epochMilliseconds;
  return date.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from({ hour }) }).epochMilliseconds;
});

/** The first instant of a local day, or of its hour `hour`. */
export const startOf = (day: string, zone: string, hour?: number): Date => new Date(startMs(day, zone, hour));

const dayAt = remembering((ms: number, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone).toPlainDate().toString(),
);

/** The local day of an instant. */
export const dayOf = (at: Date, zone: string): string => dayAt(at.getTime(), zone);

/** The day that is so many days later. */
export const addDays = remembering((day: string, days: number): string =>
  Temporal.PlainDate.from(day).add({ days }).toString(),
);

/** The first instant after a local day: what is due on a day is in time until then. */
export const endOf = (day: string, zone: string): Date => startOf(addDays(day, 1), zone);

/** How many days lie between two days; negative where the second is earlier. */
export const daysBetween = (from: string, until: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(until)).days;

/** How a subscription's cycles lie in time. */
export type Calendar = {
  /** The day on which the cycle of number `anchorCycle` is due. */
  anchor: string;
  anchorCycle: number;
  periodicityDays: number;
  /** Pix Automático's periods are calendar months, counted from the anchor, at most to the month's end. */
  inMonths: boolean;
};

/** The day on which a cycle is due. It is computed from the anchor, so no run shifts the next. */
export function dueDayOf({ anchor, anchorCycle, periodicityDays, inMonths }: Calendar, number: number): string {
  const count = number - anchorCycle;
  const months = inMonths && periodOf(periodicityDays)?.months;
  if (!months) return addDays(anchor, count * periodicityDays);
  return Temporal.PlainDate.from(anchor)
    .add({ months: count * months })
    .toString();
}

/** The number of the first cycle that is due on a day or later, and at least `from`. */
export function firstCycleFrom(calendar: Calendar, day: string, from: number): number {
  let number = from;
  while (dueDayOf(calendar, number) < day) number += 1;
  return number;
}
