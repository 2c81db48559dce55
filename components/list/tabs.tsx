"use client";
import { clsx } from "clsx";
import type { FilterControl } from "@/components/list/use-list";

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
    <nav aria-label={label} className="-mx-6 overflow-x-auto px-6 max-sm:-mx-4 max-sm:px-4">
      <ul className="flex w-max min-w-full gap-6 border-b">
        {tabs.map((tab) => {
          const here = (filters.status ?? "all") === tab;
          return (
            <li key={tab}>
              <a
                {...follow({ status: tab === "all" ? "" : tab })}
                aria-current={here ? "page" : undefined}
                className={clsx(
                  "-mb-px flex h-11 items-center gap-2 whitespace-nowrap border-b-2 transition-colors",
                  here
                    ? "border-[var(--here,var(--accent))] font-semibold"
                    : "border-transparent text-muted hover:text-ink",
                )}
              >
                {name(tab)}
                <span className="font-normal text-caption text-muted">
                  {counts ? `${counts[tab] ?? 0}${areLeast ? "+" : ""}` : "–"}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
