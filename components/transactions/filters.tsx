"use client";
import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useSaleFilters } from "@/components/transactions/address";
import { Period } from "@/components/transactions/period";
import type { TransactionPage } from "@/components/transactions/queries";
import { Button } from "@/components/ui/button";
import { Input, Select } from "@/components/ui/field";

const always = ["completed", "pending", "expired", "refunded"] as const;
const whenAny = ["refused", "failed", "disputed", "chargedback"] as const;

/** Status tabs with their counts; rare statuses only where there is something in them. */
export function StatusTabs({ counts }: { counts: TransactionPage["meta"]["counts"] | undefined }) {
  const t = useTranslations("status");
  const { filters, follow } = useSaleFilters();
  const tabs = [
    "all" as const,
    ...always,
    ...whenAny.filter((status) => counts?.[status] || filters.status === status),
  ];
  return (
    <nav aria-label={t("label")} className="-mx-6 overflow-x-auto px-6 max-sm:-mx-4 max-sm:px-4">
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
                  here ? "border-accent font-semibold" : "border-transparent text-muted hover:text-ink",
                )}
              >
                {t(`tabs.${tab}`)}
                <span className="font-normal text-caption text-muted">{counts ? (counts[tab] ?? 0) : "–"}</span>
              </a>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}

/** Search, method and period. */
export function Toolbar() {
  const t = useTranslations("sales");
  const { filters, go } = useSaleFilters();
  const [custom, setCustom] = useState(false);
  const isFiltered = Boolean(filters.search || filters.method || filters.from || filters.to);
  return (
    <search className="flex flex-wrap gap-2 py-4">
      <SearchBox />
      <Select
        aria-label={t("method")}
        value={filters.method === "card" ? "credit_card" : (filters.method ?? "")}
        onChange={({ target }) => go({ method: target.value })}
        className="!w-auto"
      >
        <option value="">{t("anyMethod")}</option>
        <option value="pix">Pix</option>
        <option value="credit_card">{t("card")}</option>
      </Select>
      <Period custom={custom} onCustom={setCustom} />
      {isFiltered && (
        <Button
          look="quiet"
          onClick={() => {
            setCustom(false);
            go({ search: "", method: "", from: "", to: "" });
          }}
        >
          <X aria-hidden="true" />
          {t("clear")}
        </Button>
      )}
    </search>
  );
}

const PAUSE_MS = 350;

function SearchBox() {
  const t = useTranslations("sales");
  const { filters, go } = useSaleFilters();
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
  return (
    <form
      className="relative min-w-0 flex-1 basis-64"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(pause.current);
        search(text, false);
      }}
    >
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted" />
      <Input
        type="search"
        aria-label={t("search")}
        placeholder={t("searchHint")}
        value={text}
        maxLength={200}
        onChange={({ target }) => {
          setText(target.value);
          clearTimeout(pause.current);
          pause.current = setTimeout(() => search(target.value, true), PAUSE_MS);
        }}
        className="pl-9"
      />
    </form>
  );
}
