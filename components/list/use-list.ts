"use client";
import { useQuery } from "@tanstack/react-query";
import { usePathname, useSearchParams } from "next/navigation";
import type { MouseEvent } from "react";
import { type Filters, filtersOf, type ListSource, listQuery } from "@/components/list/source";

/** The filters that choose a page of the list. A change of any other filter starts at the first page. */
const firstPage = { cursor: "", newer: "", page: "" };

/** A list's filters and how to change them. */
export type FilterControl<N extends string> = {
  filters: Filters<N>;
  /** A change that clears all filters that are set, except the status. Undefined where none is set. */
  cleared: Filters<N> | undefined;
  go: (change: Filters<N>, options?: { replace?: boolean }) => void;
  follow: (change: Filters<N>) => { href: string; onClick: (event: MouseEvent) => void };
};

type Read<P> = { state: { data: P | undefined } };

type Options<P> = {
  /** The milliseconds after which it is read again by itself. */
  refetchMs?: (page: P | undefined) => number;
};

/** A list by the filters in the page's address, so that the address can be shared and Back works. */
export function useList<P, N extends string>(
  source: ListSource<P, N>,
  account: string | null,
  { refetchMs }: Options<P> = {},
) {
  const params = useSearchParams();
  const path = usePathname();
  const filters = filtersOf(source, params);
  const result = useQuery({
    ...listQuery(source, account, filters),
    ...(refetchMs && { refetchInterval: ({ state }: Read<P>) => refetchMs(state.data) }),
  });

  const narrowing = Object.keys(filters).filter((name) => name !== "status" && !(name in firstPage));
  const cleared =
    narrowing.length > 0 ? (Object.fromEntries(narrowing.map((name) => [name, ""])) as Filters<N>) : undefined;

  function hrefWith(change: Filters<N>, from = filters): string {
    const wanted = Object.entries<string | undefined>({ ...from, ...firstPage, ...change });
    const search = new URLSearchParams(wanted.filter((entry): entry is [string, string] => Boolean(entry[1])));
    return search.size > 0 ? `${path}?${search}` : path;
  }

  /**
   * Changes the address without a request for the page; only the list is fetched from the API. What is not changed
   * stays as the address has it now, which may be ahead of what is shown.
   */
  const go: FilterControl<N>["go"] = (change, { replace = false } = {}) => {
    const now = filtersOf(source, new URLSearchParams(window.location.search));
    if ((Object.keys(change) as N[]).every((name) => (change[name] ?? "") === (now[name] ?? ""))) return;
    window.history[replace ? "replaceState" : "pushState"](null, "", hrefWith(change, now));
  };

  /** The properties of a link that changes the list in place, and that can be opened in a new tab. */
  const follow = (change: Filters<N>) => ({
    href: hrefWith(change),
    onClick(event: MouseEvent) {
      if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
      event.preventDefault();
      go(change);
    },
  });
  const list: FilterControl<N> = { filters, cleared, go, follow };
  return { result, list };
}
