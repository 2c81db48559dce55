import { NOW_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { localTime } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";

const DAY_MS = 86_400_000;

/** The client's business day: that of its clock where it names one, and else of ours. */
export function dayOf(request: Request): string {
  const named = Date.parse(request.headers.get(NOW_HEADER) ?? "");
  return localTime(Number.isNaN(named) ? realNow() : new Date(named)).slice(0, 10);
}

/** How many days the second day comes after the first. */
export const daysFrom = (first: string, second: string) =>
  Math.round((Date.parse(second) - Date.parse(first)) / DAY_MS);

const months: Record<string, number> = { MENSAL: 1, TRIMESTRAL: 3, SEMESTRAL: 6, ANUAL: 12 };

/** The number of the cycle that a day is in, counted from the mandate's first date; negative before it. */
export function cycleOf(day: string, { dataInicial, periodicidade }: { dataInicial: string; periodicidade: string }) {
  const length = months[periodicidade];
  if (!length) return Math.floor(daysFrom(dataInicial, day) / 7);
  const cycle = Math.floor((monthsOf(day) - monthsOf(dataInicial)) / length);
  return day < addMonths(dataInicial, cycle * length) ? cycle - 1 : cycle;
}

const monthsOf = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

/** The same day of a later month, or the last day of a month that is shorter. */
function addMonths(day: string, count: number): string {
  const month = monthsOf(day) + count;
  const [year, place] = [Math.floor(month / 12), month % 12];
  const last = new Date(Date.UTC(year, place + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, place, Math.min(Number(day.slice(8)), last))).toISOString().slice(0, 10);
}
