"use client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type ComponentType, type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { ListBody } from "@/components/list/body";
import type { ListPage } from "@/components/list/query";
import type { FilterControl } from "@/components/list/use-list";
import type { AccountPath } from "@/components/paths";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHead } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";

/** How a record is added: on a page of its own, or in a dialog. */
type Add = { label: string; disabled?: boolean } & (
  | { href: AccountPath }
  | { dialog: ComponentType<{ onClose: () => void }> }
);

type Props<T, P extends ListPage<T>> = {
  result: UseQueryResult<P>;
  list: FilterControl<never>;
  title: string;
  purpose?: string;
  add?: Add | false;
  /** The tabs that this list shares with other pages. */
  tabs?: ReactNode;
  /** Tabs by status and toolbar; hidden while there is no record at all. */
  tools?: ReactNode;
  /** The text where there is no record at all, with a line for integrators. */
  empty: string;
  curl?: string;
  isForDevelopers?: boolean;
  /** The text where no record passes the filters. */
  nothing?: string;
  rows?: number;
  place?: (page: P) => string;
  children: (rows: P["data"]) => ReactNode;
};

/** A page with a list: head, tabs, toolbar, rows and paging, or the states in their place. */
export function List<T, P extends ListPage<T>>(props: Props<T, P>) {
  const { result, list, title, purpose, add, tabs, tools, empty, nothing, children, ...others } = props;
  const { curl, isForDevelopers, ...body } = others;
  const [adding, setAdding] = useState(false);
  const isFiltered = Object.keys(list.filters).length > 0;
  const isNew = !isFiltered && result.data?.data.length === 0;
  const action = add && <AddButton add={add} onAdd={() => setAdding(true)} />;
  return (
    <>
      <PageHead title={title} purpose={purpose} action={!isNew && action} />
      {tabs}
      {!isNew && tools}
      <ListBody
        {...body}
        result={result}
        list={list}
        empty={
          isNew ? (
            <Empty action={action} curl={curl} isForDevelopers={isForDevelopers ?? false}>
              {empty}
            </Empty>
          ) : (
            <Nothing list={list}>{nothing ?? empty}</Nothing>
          )
        }
      >
        {children}
      </ListBody>
      {adding && add && "dialog" in add && <add.dialog onClose={() => setAdding(false)} />}
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
