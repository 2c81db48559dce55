"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ListBody } from "@/components/list/body";
import { Choice, type Choosable } from "@/components/list/choice";
import { Period } from "@/components/list/period";
import type { ListPage, ListSource } from "@/components/list/source";
import { type Column, Table } from "@/components/list/table";
import { StatusTabs, type TabsByStatus } from "@/components/list/tabs";
import { FilterBar, SearchBox } from "@/components/list/toolbar";
import type { FilterControl } from "@/components/list/use-list";
import type { AccountPath } from "@/components/paths";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHead } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";

/** What a page gives to its list: where it comes from, and the line for integrators where it is empty. */
export type ListProps<P, N extends string> = { source: ListSource<P, N>; curl?: string };

/** How a record is added: on a page of its own, or in a dialog. */
type Add = { label: string; disabled?: boolean } & (
  | { href: AccountPath }
  | { dialog: ComponentType<{ onClose: () => void }> }
);

type RowOf<P extends ListPage> = P["data"][number];

type Props<P extends ListPage, N extends string, S extends string> = {
  result: UseQueryResult<P>;
  list: FilterControl<N>;
  title: string;
  purpose?: string | undefined;
  add?: Add | false;
  /** The tabs that this list shares with other pages. */
  pages?: ReactNode;
  /** What stands between head and list; hidden, as all filters are, while there is no record at all. */
  tools?: ReactNode;
  /** The filters: a tab for each status, a search, choices and a period, and what stands beside them. */
  tabs?: TabsByStatus<S>;
  search?: { label: string; hint: string };
  choices?: readonly Choosable<N>[];
  hasPeriod?: boolean;
  beside?: ReactNode;
  /** The text where there is no record at all, with a line for integrators. */
  empty: string;
  curl?: string | undefined;
  isForDevelopers?: boolean;
  /** The text where no record passes the filters. */
  nothing?: string;
  /** How many rows the skeleton has. */
  rows?: number;
  /** The text for this page's place in the list, from the noun's own texts. */
  shown?: Shown;
} & (
  | { columns: readonly Column<RowOf<P>>[]; keyOf: (row: RowOf<P>) => string; caption?: string }
  /** A list that is no table. */
  | { children: (rows: P["data"]) => ReactNode }
);

/** A noun's texts for how many of how many records a page shows. */
export type Shown = (key: "shown" | "shownOfMore", values: { shown: number; total: number }) => string;

/** The text for a page's place in its list. A total that was not counted to its end says so. */
export const placeBy =
  (shown: Shown) =>
  ({ data, meta }: ListPage) =>
    shown(meta.total_is_exact === false ? "shownOfMore" : "shown", { shown: data.length, total: meta.total ?? 0 });

/** A page with a list: head, tabs, filters, rows and paging, or the states in their place. */
export function List<P extends ListPage, N extends string, S extends string>(props: Props<P, N, S>) {
  const { result, list, title, purpose, add, pages, tools, empty, nothing, rows, shown } = props;
  const [adding, setAdding] = useState(false);
  const isFiltered = Object.keys(list.filters).length > 0;
  const isNew = !isFiltered && result.data?.data.length === 0;
  const action = add && <AddButton add={add} onAdd={() => setAdding(true)} />;
  return (
    <>
      <PageHead title={title} purpose={purpose} action={!isNew && action} />
      {pages}
      {!isNew && tools}
      {!isNew && <Tools {...props} />}
      <ListBody
        result={result}
        list={list}
        rows={rows}
        place={shown && placeBy(shown)}
        empty={
          isNew ? (
            <Empty action={action} curl={props.curl} isForDevelopers={props.isForDevelopers ?? false}>
              {empty}
            </Empty>
          ) : (
            <Nothing list={list}>{nothing ?? empty}</Nothing>
          )
        }
      >
        {(read: P["data"]) =>
          "columns" in props ? (
            <Table caption={props.caption ?? title} rows={read} keyOf={props.keyOf} columns={props.columns} />
          ) : (
            props.children(read)
          )
        }
      </ListBody>
      {adding && add && "dialog" in add && <add.dialog onClose={() => setAdding(false)} />}
    </>
  );
}

/** A list's tabs and filters. */
function Tools<P extends ListPage, N extends string, S extends string>(props: Props<P, N, S>) {
  const { list, result, tabs, search, choices = [], hasPeriod = false, beside } = props;
  const hasFilters = Boolean(search || choices.length > 0 || hasPeriod || beside);
  return (
    <>
      {tabs && <StatusTabs {...tabs} list={list as FilterControl<"status">} counts={result.data?.meta.counts} />}
      {hasFilters && (
        <FilterBar list={list}>
          {search && <SearchBox list={list as FilterControl<"search">} {...search} />}
          {choices.map((choice) => (
            <Choice key={choice.filter} list={list} {...choice} />
          ))}
          {hasPeriod && <Period list={list as FilterControl<"from" | "to">} />}
          {beside}
        </FilterBar>
      )}
    </>
  );
}

function AddButton({ add, onAdd }: { add: Add; onAdd: () => void }) {
  const content = (
    <>
      <Plus aria-hidden="true" />
      {add.label}
    </>
  );
  return "href" in add && !add.disabled ? (
    <ButtonLink look="primary" href={add.href}>
      {content}
    </ButtonLink>
  ) : (
    <Button look="primary" disabled={add.disabled ?? false} onClick={onAdd}>
      {content}
    </Button>
  );
}

/** No record passes the filters; all of them can be cleared. */
function Nothing({ list, children }: { list: FilterControl<never>; children: string }) {
  const t = useTranslations("common");
  const all = Object.fromEntries(Object.keys(list.filters).map((name) => [name, ""]));
  return (
    <Empty
      action={
        <a {...list.follow(all)} className="font-medium text-accent underline underline-offset-4">
          {t("clearFilters")}
        </a>
      }
    >
      {children}
    </Empty>
  );
}
