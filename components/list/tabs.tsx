"use client";
import type { FilterControl } from "@/components/list/use-list";
import { Tab, Tabs } from "@/components/ui/tabs";

type Props<S extends string> = {
  list: FilterControl<"status">;
  label: string;
  statuses: readonly S[];
  /** Statuses that have a tab only where they have records. */
  rare?: readonly S[];
  /** The number of records of each status; undefined until the list is loaded. */
  counts: { readonly [status: string]: number } | undefined;
  /** Whether there may be more of each status than its number says. */
  areLeast?: boolean;
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
              <span className="font-normal text-caption text-muted">
                {counts ? `${counts[tab] ?? 0}${areLeast ? "+" : ""}` : "–"}
              </span>
            </a>
          )}
        </Tab>
      ))}
    </Tabs>
  );
}
