"use client";
import type { FilterControl } from "@/components/list/use-list";
import { Tab, Tabs } from "@/components/ui/tabs";
import { MAX_COUNTED } from "@/lib/limits";

type Props<S extends string> = {
  list: FilterControl<"status">;
  label: string;
  statuses: readonly S[];
  /** Statuses that have a tab only where they have records. */
  rare?: readonly S[];
  /** The number of records of each status; undefined until the list is loaded. */
  counts: { readonly [status: string]: number } | undefined;
  /**
   * Whether there may be more of each status than its number says, or "counted" where each is counted by itself, so that
   * only a number as large as is ever counted may be too small.
   */
  areLeast?: boolean | "counted";
  name: (tab: S | "all") => string;
};

/** A list's statuses as tabs with their counts. */
export function StatusTabs<S extends string>({ list, label, statuses, rare = [], counts, areLeast, name }: Props<S>) {
  const { filters, follow } = list;
  const tabs = ["all" as const, ...statuses, ...rare.filter((tab) => counts?.[tab] || filters.status === tab)];
  return (
    <Tabs label={label}>
      {tabs.map((tab) => (
        <Tab key={tab} here={(filters.status ?? "all") === tab}>
          {(look) => (
            <a {...look} {...follow({ status: tab === "all" ? "" : tab })}>
              {name(tab)}
              <span className="font-normal text-caption text-muted">{counts ? textOf(counts[tab] ?? 0) : "–"}</span>
            </a>
          )}
        </Tab>
      ))}
    </Tabs>
  );

  function textOf(count: number): string {
    const isLeast = areLeast === "counted" ? count >= MAX_COUNTED : areLeast;
    return `${count}${isLeast ? "+" : ""}`;
  }
}
