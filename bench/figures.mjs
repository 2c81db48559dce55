import { loadavg } from "node:os";

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** The number below which a share of the ascending numbers lies. */
export const percentile = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];

/** How many processes wanted a core in the last minute, on average. */
export const machineLoad = () => loadavg()[0].toFixed(1);

/** Median of the ratios round by round, because neighbours in time had the same machine. */
export const medianRatio = (ours, theirs) => median(ours.map((value, round) => value / theirs[round]));

/** Prints a line for each row with aligned columns. The first row is the heading. */
export function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)));
  const pad = (cell, column) => (column === 0 ? String(cell).padEnd(widths[0]) : String(cell).padStart(widths[column]));
  for (const row of rows) console.log(`  ${row.map(pad).join("  ")}`);
}

/** One line for each aim. Below target is a fact, not an error. */
export function verdict(aims) {
  return aims.map(({ what, value, atLeast, atMost, digits = 2 }) => {
    const met = atLeast === undefined ? value <= atMost : value >= atLeast;
    const aim = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
    return `  ${met ? "reached" : "below target"}: ${what} ${value.toFixed(digits)} (${aim})`;
  });
}
