"use client";
import type { FilterControl } from "@/components/list/use-list";
import { Tab, Tabs } from "@/components/ui/tabs";
import { MAX_COUNTED } from "@/lib/limits";

/** A tab for each status of a list. */
export type TabsByStatus<S extends string> = {
  label: string;
  statuses: readonly S[];
  /** Statuses that have a tab only where they have records. */
  rare?: readonly S[];
  /**
   * Whether there may be more of each status than its number says. Where each is counted by itself, only a number as large
   * as is ever counted may be too small.
   */
  areLeast?: boolean;
  name: (tab: S | "all") => string;
};

type Props<S extends string> = TabsByStatus<S> & {
  list: FilterControl<"status">;
  /** The number of records of each status, and of all where that is no sum; undefined until the list is loaded. */
  counts: { readonly [status: string]: number } | undefined;
};

/** A list's statuses as tabs with their counts. */
export function StatusTabs<S extends string>({ list, label, statuses, rare = [], counts, areLeast, name }: Props<S>) {
  const { filters, follow } = list;
  const sum = Object.values(counts ?? {}).reduce((all, count) => all + count, 0);
  const tabs = ["all" as const, ...statuses, ...rare.filter((tab) => counts?.[tab] || filters.status === tab)];
  return (
    <Tabs label={label}>
      {tabs.map((tab) => (
        <Tab key={tab} here={(filters.status ?? "all") === tab}>
          {(look) => (
            <a {...look} {...follow({ status: tab === "all" ? "" : tab })}>
              {name(tab)}
              <span className="font-normal text-caption text-muted">
                {counts ? textOf(tab === "all" ? (counts.all ?? sum) : (counts[tab] ?? 0)) : "–"}
              </span>
            </a>
          )}
        </Tab>
      ))}
    </Tabs>
  );

  function textOf(count: number): string {
    const isLeast = areLeast ?? count >= MAX_COUNTED;
    return `${count}${isLeast ? "+" : ""}`;
  }
}
