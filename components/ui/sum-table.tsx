import type { ReactNode } from "react";

type Line = readonly [name: string, value: ReactNode];

/** Lines of a calculation with a rule above its result, as on paper. */
export function SumTable({ caption, lines, sum }: { caption: string; lines: readonly Line[]; sum: Line }) {
  return (
    <table className="w-full">
      <caption className="sr-only">{caption}</caption>
      <tbody>
        {lines.map(([name, value], place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be alike, and none has a state
          <tr key={place} className="h-9">
            <th scope="row" className="wrap-anywhere py-1 pr-4 text-left font-normal">
              {name}
            </th>
            <td className="text-right">{value}</td>
          </tr>
        ))}
        <tr className="rule-sum h-11 font-semibold">
          <th scope="row" className="py-1.5 pr-4 text-left font-semibold">
            {sum[0]}
          </th>
          <td className="text-right">{sum[1]}</td>
        </tr>
      </tbody>
    </table>
  );
}
