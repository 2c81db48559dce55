"use client";
import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { FilterControl } from "@/components/list/use-list";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";

type Props = { list: FilterControl<"search">; label: string; hint: string; children?: ReactNode };

/** The search over a list and, as children, its other filters. */
export const Toolbar = ({ list, label, hint, children }: Props) => (
  <FilterBar list={list}>
    <SearchBox list={list} label={label} hint={hint} />
    {children}
  </FilterBar>
);

/** The filters of a list, and a button that clears them. */
export function FilterBar({ list: { cleared, go }, children }: { list: FilterControl<never>; children: ReactNode }) {
  const t = useTranslations("common");
  return (
    <search className="flex flex-wrap gap-2 py-4">
      {children}
      {cleared && (
        <Button look="quiet" onClick={() => go(cleared)}>
          <X aria-hidden="true" />
          {t("clearFilters")}
        </Button>
      )}
    </search>
  );
}

const PAUSE_MS = 350;

function SearchBox({ list: { filters, go }, label, hint }: Omit<Props, "children">) {
  const asked = filters.search ?? "";
  const [text, setText] = useState(asked);
  const typed = useRef(asked);
  useEffect(() => {
    if (asked !== typed.current) {
      typed.current = asked;
      setText(asked);
    }
  }, [asked]);
  const search = (value: string, replace: boolean) => {
    const wanted = value.trim();
    if (wanted === asked) return;
    typed.current = wanted;
    go({ search: wanted }, { replace });
  };
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pause.current), []); // the search would change the next page's address
  const searchNow = (replace: boolean) => {
    clearTimeout(pause.current);
    search(text, replace);
  };
  return (
    <form
      className="relative min-w-0 flex-1 basis-64"
      onSubmit={(event) => {
        event.preventDefault();
        searchNow(false);
      }}
    >
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
      <Input
        type="search"
        aria-label={label}
        placeholder={hint}
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(pause.current);
          pause.current = setTimeout(() => search(target.value, true), PAUSE_MS);
        }}
        onBlur={() => searchNow(true)}
        className="pl-9"
      />
    </form>
  );
}
