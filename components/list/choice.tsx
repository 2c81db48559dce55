"use client";
import { clsx } from "clsx";
import type { FilterControl } from "@/components/list/use-list";
import { Select } from "@/components/ui/field";

/** A filter that one of a few values is chosen for. */
export type Choosable<N extends string> = {
  filter: N;
  label: string;
  /** The text of no choice. */
  any: string;
  options: readonly (readonly [value: string, text: string])[];
  /** The option that an address's value means, where it has another spelling. */
  chosen?: string;
  /** Whether it stands beside a section's heading. */
  small?: boolean;
};

type Props<N extends string> = Choosable<N> & { list: FilterControl<N> };

/** A filter as a select. */
export function Choice<N extends string>({ list, filter, label, any, options, chosen, small = false }: Props<N>) {
  return (
    <Select
      aria-label={label}
      value={chosen ?? list.filters[filter] ?? ""}
      onChange={({ target }) => list.go({ [filter]: target.value } as typeof list.filters)}
      className={clsx("!w-auto", small ? "!h-8 !pr-7 !text-caption" : "max-w-full sm:max-w-64")}
    >
      <option value="">{any}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}
