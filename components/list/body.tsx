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
  /** The text for this page's place in the list. */
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
            {page.meta.next_cursor !== undefined && (
              <Paging next={page.meta.next_cursor} list={list as Place} trail={trail.current} text={place?.(page)} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

type Place = FilterControl<"cursor">;
type PagingProps = { next: string | null; list: Place; trail: string[]; text: string | undefined };

/** Newer and older pages. `trail` holds the cursors of the pages before this one, which the API does not name. */
function Paging({ next, list: { filters, go }, trail, text }: PagingProps) {
  const t = useTranslations("common");
  const turn = (cursor: string) => {
    go({ cursor });
    window.scrollTo({ top: 0 });
  };
  const newer = () => turn(trail.pop() ?? "");
  const older = () => {
    trail.push(filters.cursor ?? "");
    turn(next ?? "");
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{text}</p>
      <div className="flex gap-2">
        <Button size="small" disabled={!filters.cursor} onClick={newer}>
          {t("newer")}
        </Button>
        <Button size="small" disabled={!next} onClick={older}>
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
