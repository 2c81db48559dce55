import { clsx } from "clsx";
import type { ReactNode } from "react";

/** The place of a column's cell in a row. On a phone a row is a card of two lines. */
const places = {
  /** The record's name: first on a phone too, and cut where there is no room. */
  title: "max-w-0 py-1 sm:w-[38%] sm:pr-4 max-sm:max-w-none max-sm:py-0",
  topRight: "pr-4 max-sm:order-2 max-sm:pr-0",
  bottomLeft: "pr-4 max-sm:order-3 max-sm:pr-0 max-sm:text-caption",
  bottomRight: "pr-4 max-sm:order-4 max-sm:pr-0 max-sm:text-right max-sm:text-caption",
  /** An amount, or anything else that is aligned to the right. */
  amount: "text-right font-medium max-sm:order-2",
  /** Only where there is room for it. */
  wide: "pr-4 max-md:hidden",
  wideAmount: "pr-4 text-right max-md:hidden",
  /** Buttons that appear when the row is pointed at. */
  actions: "w-20 text-right max-sm:hidden",
};

/** A column: its heading, its cell in a row, and the cell's place. */
export type Column<T> = {
  head: string;
  place: keyof typeof places;
  cell: (row: T) => ReactNode;
  className?: string;
};

/** The look of a link in the title cell, which covers its row. */
export const covering = "block truncate font-medium after:absolute after:inset-0";

type Props<T> = {
  caption: string;
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
};

/** A table whose rows are links: the one in the title cell covers its row. */
export function Table<T>({ caption, columns, rows, keyOf }: Props<T>) {
  return (
    <table className="w-full border-b max-sm:block">
      <caption className="sr-only">{caption}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {columns.map(({ head, place }) => (
            <th
              key={head}
              scope="col"
              className={clsx(
                "sticky top-0 z-10 bg-ground py-2 font-medium text-caption text-muted",
                place === "amount" ? "text-right" : place === "wideAmount" ? "pr-4 text-right" : "pr-4 text-left",
                (place === "wide" || place === "wideAmount") && "max-md:hidden",
              )}
            >
              {place === "actions" ? <span className="sr-only">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={keyOf(row)}
            className="group relative h-11 border-t transition-colors hover:bg-line/35 max-sm:grid max-sm:h-auto max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:gap-y-0.5 max-sm:py-2.5"
          >
            {columns.map(({ head, place, cell, className }) => (
              <td key={head} className={clsx(places[place], className)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
