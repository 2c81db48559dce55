"use client";
import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { FilterControl } from "@/components/list/use-list";
import { buttonLook } from "@/components/ui/button-look";
import { Input } from "@/components/ui/field";

/** The filters of a list, and a link that clears them. */
export function FilterBar({
  list: { cleared, follow },
  children,
}: {
  list: FilterControl<never>;
  children: ReactNode;
}) {
  const t = useTranslations("common");
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    // What was chosen before the page's script ran was heard by nobody. The router listens after this effect.
    queueMicrotask(() => {
      for (const select of bar.current?.querySelectorAll("select") ?? []) {
        const served = [...select.options].findIndex((option) => option.defaultSelected);
        if (select.selectedIndex !== Math.max(served, 0)) select.dispatchEvent(new Event("change", { bubbles: true }));
      }
    });
  }, []);
  return (
    <search ref={bar} className="flex flex-wrap gap-2 py-4">
      {children}
      {cleared && (
        <a {...follow(cleared)} className={buttonLook({ look: "quiet" })}>
          <X aria-hidden="true" />
          {t("clearFilters")}
        </a>
      )}
    </search>
  );
}

const PAUSE_MS = 350;

type SearchProps = { list: FilterControl<"search">; label: string; hint: string };

/** The search over a list. It asks once nothing was typed for a moment. */
export function SearchBox({ list: { filters, go }, label, hint }: SearchProps) {
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
    typed.current = value.trim();
    go({ search: typed.current }, { replace });
  };
  const pause = useRef<ReturnType<typeof setTimeout>>(undefined);
  const input = useRef<HTMLInputElement>(null);
  function type(value: string) {
    setText(value);
    clearTimeout(pause.current);
    pause.current = setTimeout(() => search(value, true), PAUSE_MS);
  }
  const typeEarly = useEffectEvent((early: string) => early !== asked && type(early));
  useEffect(() => {
    typeEarly(input.current?.value ?? ""); // what was typed before the page's script ran was heard by nobody
    return () => clearTimeout(pause.current); // the search would change the next page's address
  }, []);
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
        ref={input}
        type="search"
        aria-label={label}
        placeholder={hint}
        value={text}
        maxLength={200}
        onChange={({ target }) => type(target.value)}
        onBlur={() => searchNow(true)}
        className="pl-9"
      />
    </form>
  );
}
