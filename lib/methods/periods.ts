/**
 * The periods of Pix Automático, the same as in the Central Bank's API Pix (`rec`, `calendario.periodicidade`), by the days
 * of a plan: a week, or so many calendar months.
 */
export const periods = {
  7: { name: "weekly", months: null },
  30: { name: "monthly", months: 1 },
  90: { name: "quarterly", months: 3 },
  180: { name: "semiannual", months: 6 },
  365: { name: "annual", months: 12 },
} as const satisfies Record<number, { name: string; months: number | null }>;

export type PeriodName = (typeof periods)[keyof typeof periods]["name"];

/** The days of the plans that Pix Automático can bill. */
export const periodDays = Object.keys(periods).map(Number);

/** The period of so many days; undefined where Pix Automático has none. */
export const periodOf = (days: number): { name: PeriodName; months: number | null } | undefined =>
  (periods as Record<number, { name: PeriodName; months: number | null }>)[days];
