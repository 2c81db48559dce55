"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { ListPage } from "@/components/list/query";
import type { FilterControl } from "@/components/list/use-list";
import { Button } from "@/components/ui/button";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";

type Props<T, P extends ListPage<T>> = {
  result: UseQueryResult<P>;
  list: FilterControl<never>;
  /** How many rows the skeleton has. */
  rows?: number;
  /** Shown in place of a list without rows. */
  empty: ReactNode;
  /** The text for this page's place in the list; its number by default. */
  place?: (page: P) => string;
  children: (rows: P["data"]) => ReactNode;
};

/** A list's rows, or a skeleton, failure or empty state in their place, and the links to other pages. */
export function ListBody<T, P extends ListPage<T>>({ result, list, rows, empty, place, children }: Props<T, P>) {
  const isSlow = useSlow(result.isPlaceholderData);
  const trail = useRef<string[]>([]);
  return (
    <Loaded result={result} skeleton={<RowsSkeleton rows={rows} />}>
      {(page) =>
        isSlow ? (
          <RowsSkeleton rows={rows} waited />
        ) : page.data.length === 0 ? (
          empty
        ) : (
          <>
            {children(page.data)}
            <Paging meta={page.meta} list={list as Place} trail={trail.current} text={place?.(page)} />
          </>
        )
      }
    </Loaded>
  );
}

type Place = FilterControl<"cursor" | "page">;
type PagingProps = { meta: ListPage<unknown>["meta"]; list: Place; trail: string[]; text: string | undefined };

/** Newer and older pages. `trail` holds the cursors of the pages before this one, which the API does not name. */
function Paging({ meta, list: { filters, go }, trail, text }: PagingProps) {
  const t = useTranslations("common");
  const { current_page: page, last_page: last, next_cursor: next } = meta;
  const byCursor = next !== undefined;
  if (!byCursor && last === 1) return null;
  const turn = (change: { cursor: string } | { page: string }) => {
    go(change);
    window.scrollTo({ top: 0 });
  };
  const newer = () => turn(byCursor ? { cursor: trail.pop() ?? "" } : { page: String(page - 1) });
  const older = () => {
    if (!byCursor) return turn({ page: String(page + 1) });
    trail.push(filters.cursor ?? "");
    turn({ cursor: next ?? "" });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{text ?? t("page", { page: String(page), last: String(last) })}</p>
      <div className="flex gap-2">
        <Button size="small" disabled={byCursor ? !filters.cursor : page <= 1} onClick={newer}>
          {t("newer")}
        </Button>
        <Button size="small" disabled={byCursor ? !next : page >= last} onClick={older}>
          {t("older")}
        </Button>
      </div>
    </div>
  );
}

const SLOW_MS = 150;

/** Whether `active` has been true for longer than a moment. */
function useSlow(active: boolean): boolean {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    if (!active) return;
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => {
      clearTimeout(timer);
      setSlow(false);
    };
  }, [active]);
  return active && slow;
}
