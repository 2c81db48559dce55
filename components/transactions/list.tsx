"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/frame/account";
import { useSaleFilters } from "@/components/transactions/address";
import { StatusTabs, Toolbar } from "@/components/transactions/filters";
import { salesQuery, type TransactionPage } from "@/components/transactions/queries";
import { SalesTable } from "@/components/transactions/table";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { PageHead } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Empty, Failure } from "@/components/ui/state";

export function Sales({ curl }: { curl: string }) {
  const t = useTranslations("sales");
  const { filters } = useSaleFilters();
  const { data, error, isPlaceholderData, refetch } = useQuery(salesQuery(useApi().account, filters));
  const trail = useRef<string[]>([]);
  const isSlow = useSlow(isPlaceholderData);
  const mayCharge = useMay("transactions:write");
  const action = mayCharge && (
    <ButtonLink look="primary" href="/charges/new">
      <Plus aria-hidden="true" />
      {t("newCharge")}
    </ButtonLink>
  );
  const isNew = data?.meta.counts.all === 0 && Object.keys(filters).length === 0;
  if (isNew && !error) {
    return (
      <>
        <PageHead title={t("title")} />
        <Empty action={action} curl={curl}>
          {t("empty")}
        </Empty>
      </>
    );
  }
  return (
    <>
      <PageHead title={t("title")} action={action} />
      <StatusTabs counts={data?.meta.counts} />
      <Toolbar />
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : !data || isSlow ? (
        <RowBones waited={isSlow} />
      ) : (
        <Rows page={data} trail={trail} />
      )}
    </>
  );
}

const SLOW_MS = 150;

/** Whether something has been going on for longer than a moment. */
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

type Pages = { page: TransactionPage; trail: RefObject<string[]> };

function Rows({ page, trail }: Pages) {
  const t = useTranslations("sales");
  const { follow } = useSaleFilters();
  if (page.data.length === 0) {
    return (
      <Empty
        action={
          <a
            {...follow({ status: "", search: "", method: "", from: "", to: "" })}
            className="font-medium text-accent underline underline-offset-4"
          >
            {t("clear")}
          </a>
        }
      >
        {t("nothingFound")}
      </Empty>
    );
  }
  return (
    <>
      <SalesTable rows={page.data} />
      <Foot page={page} trail={trail} />
    </>
  );
}

/** Where in the list this is, and the way on. Pages are found by cursor, so the last costs what the first does. */
function Foot({ page: { data, meta }, trail }: Pages) {
  const t = useTranslations("sales");
  const { filters, go } = useSaleFilters();
  const { next_cursor: next } = meta;
  const turn = (cursor: string) => {
    go({ cursor });
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{t("shown", { shown: data.length, total: meta.total })}</p>
      <div className="flex gap-2">
        <Button size="small" disabled={!filters.cursor} onClick={() => turn(trail.current.pop() ?? "")}>
          {t("newer")}
        </Button>
        <Button
          size="small"
          disabled={!next}
          onClick={() => {
            trail.current.push(filters.cursor ?? "");
            if (next) turn(next);
          }}
        >
          {t("older")}
        </Button>
      </div>
    </div>
  );
}
