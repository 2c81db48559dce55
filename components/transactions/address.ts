"use client";
import { useSearchParams } from "next/navigation";
import { type MouseEvent, useMemo } from "react";
import { type AccountPath, useAccountPath } from "@/components/frame/link";
import { filtersOf, type SaleFilters } from "@/components/transactions/queries";

/** The filters of the list, kept in the page's address: it can be shared, and Back works. */
export function useSaleFilters() {
  const params = useSearchParams();
  const to = useAccountPath();
  const filters = useMemo(() => filtersOf(params), [params]);

  /** The address of the same list with these changes; a change of anything starts at the first page. */
  const hrefWith = (change: SaleFilters) => to(pathOf({ ...filters, cursor: "", ...change }));

  /** Goes there without asking the server for a page: the list itself is fetched from the API. */
  const go = (change: SaleFilters, { replace = false } = {}) =>
    window.history[replace ? "replaceState" : "pushState"](null, "", hrefWith(change));

  /** For links that should change the list in place, yet open in a new tab when asked to. */
  const follow = (change: SaleFilters) => ({
    href: hrefWith(change),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(change);
    },
  });
  return { filters, go, follow };
}

function pathOf(filters: SaleFilters): AccountPath {
  const present = Object.entries(filters).filter(([, value]) => value);
  return present.length ? `/transactions?${new URLSearchParams(present as [string, string][])}` : "/transactions";
}
