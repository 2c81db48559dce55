"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { Filters, ListPage } from "@/components/list/source";
import type { FilterControl } from "@/components/list/use-list";
import { Button } from "@/components/ui/button";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";

type Props<P extends ListPage> = {
  result: UseQueryResult<P>;
  list: FilterControl<never>;
  /** How many rows the skeleton has. */
  rows?: number | undefined;
  /** Shown in place of a list without rows. */
  empty: ReactNode;
  /** The text for this page's place in the list. */
  place?: ((page: P) => string) | undefined;
  children: (rows: P["data"]) => ReactNode;
};

/** A list's rows, or a skeleton, failure or empty state in their place, and the links to other pages. */
export function ListBody<P extends ListPage>({ result, list, rows, empty, place, children }: Props<P>) {
  const isSlow = useSlow(result.isPlaceholderData);
  const trail = useRef<string[]>([]);
  return (
    <Loaded result={result} skeleton={<RowsSkeleton rows={rows} />}>
      {(page) =>
        isSlow ? (
          <RowsSkeleton rows={rows} waited />
        ) : page.data.length === 0 && !page.meta.next_cursor ? (
          empty
        ) : (
          <>
            {page.data.length === 0 ? empty : children(page.data)}
            {(page.meta.next_cursor !== undefined || (page.meta.last_page ?? 1) > 1) && (
              <Paging meta={page.meta} list={list as Place} trail={trail.current} text={place?.(page)} />
            )}
          </>
        )
      }
    </Loaded>
  );
}

type Place = FilterControl<"cursor" | "newer" | "page">;
type PagingProps = { meta: ListPage<unknown>["meta"]; list: Place; trail: string[]; text: string | undefined };

/** The previous and the next page. `trail` holds the cursors of the pages before this one, which the API does not name. */
function Paging({ meta, list: { filters, go }, trail, text }: PagingProps) {
  const t = useTranslations("common");
  const { next_cursor: next, current_page: number = 1, last_page: last = 1 } = meta;
  if (meta.previous_cursor !== undefined) return <BothWays meta={meta} list={{ go }} text={text} />;
  const isNumbered = next === undefined;
  const turn = (change: Filters<"cursor" | "page">) => {
    go(change);
    window.scrollTo({ top: 0 });
  };
  const previous = () =>
    turn(isNumbered ? { page: number > 2 ? String(number - 1) : "" } : { cursor: trail.pop() ?? "" });
  const following = () => {
    if (isNumbered) return turn({ page: String(number + 1) });
    trail.push(filters.cursor ?? "");
    turn({ cursor: next ?? "" });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{text}</p>
      <div className="flex gap-2">
        <Button size="small" disabled={isNumbered ? number === 1 : !filters.cursor} onClick={previous}>
          {t("previousPage")}
        </Button>
        <Button size="small" disabled={isNumbered ? number >= last : !next} onClick={following}>
          {t("nextPage")}
        </Button>
      </div>
    </div>
  );
}

/** The first, previous, next and last page, of a list that the API reads from both ends. */
function BothWays({ meta, list: { go }, text }: Omit<PagingProps, "trail" | "list"> & { list: Pick<Place, "go"> }) {
  const t = useTranslations("common");
  const { next_cursor: next, previous_cursor: previous } = meta;
  const turn = (change: Filters<"cursor" | "newer">) => {
    go({ cursor: "", newer: "", page: "", ...change });
    window.scrollTo({ top: 0 });
  };
  const buttons = [
    ["firstPage", previous, {}],
    ["previousPage", previous, { newer: previous ?? "" }],
    ["nextPage", next, { cursor: next ?? "" }],
    ["lastPage", next, { newer: "0" }],
  ] as const;
  const shownButtons = next || previous ? buttons : [];
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{text}</p>
      <div className="flex flex-wrap gap-2">
        {shownButtons.map(([key, leads, change]) => (
          <Button key={key} size="small" disabled={!leads} onClick={() => turn(change)}>
            {t(key)}
          </Button>
        ))}
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
