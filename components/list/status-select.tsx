"use client";
import type { FilterControl } from "@/components/list/use-list";
import { Select } from "@/components/ui/field";

type Props<S extends string> = {
  list: FilterControl<"status">;
  label: string;
  /** The text of no choice. */
  any: string;
  statuses: readonly S[];
  name: (status: S) => string;
  /** Whether it stands beside a section's heading. */
  small?: boolean;
};

/** A list's statuses as a select, where their numbers are not counted. */
export const StatusSelect = <S extends string>({ list, label, any, statuses, name, small = false }: Props<S>) => (
  <Select
    aria-label={label}
    value={list.filters.status ?? ""}
    onChange={({ target }) => list.go({ status: target.value })}
    className={small ? "!h-8 !w-auto !pr-7 !text-caption" : "!w-auto"}
  >
    <option value="">{any}</option>
    {statuses.map((status) => (
      <option key={status} value={status}>
        {name(status)}
      </option>
    ))}
  </Select>
);
