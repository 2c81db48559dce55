import { z } from "zod";
import { endOfDay, startOfDay } from "@/lib/time/calendar";

const NO_DAY = "Use AAAA-MM-DD ou uma data ISO 8601.";
const day = z
  .union([z.iso.date(), z.iso.datetime({ offset: true }).max(40)], { error: NO_DAY })
  .refine((text) => /^(19|20|21)/.test(text), NO_DAY)
  .optional();

/** The filters of a list by when its records were made: days, which are both included, or instants. */
export const period = { from: day, to: day };
export type Period = { from?: string | undefined; to?: string | undefined };

/** Whether both ends of a period are whole days. */
export const isOfDays = (period: Period) => [period.from, period.to].every((text) => !text || isDay(text));

/** The first instant of a period, and the first one after it. */
export const boundsOf = ({ from, to }: Period) => ({
  since: from ? (isDay(from) ? startOfDay(from) : new Date(from)) : undefined,
  until: to ? (isDay(to) ? endOfDay(to) : new Date(to)) : undefined,
});

const isDay = (text: string) => text.length === 10;

/** Below and above every id. */
export const FIRST_ID = "00000000-0000-0000-0000-000000000000";
export const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";
