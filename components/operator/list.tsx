"use client";
import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Search } from "lucide-react";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useTranslations } from "use-intl";
import { documentNumber } from "@/components/format";
import {
  type SellerAccount,
  type SellerFilters,
  type SellerPage,
  sellerFiltersOf,
  sellersQuery,
} from "@/components/operator/queries";
import { SellerStatusWord } from "@/components/operator/status";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/field";
import { PageHead } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Empty, Failure } from "@/components/ui/state";
import { Time } from "@/components/ui/time";

/** Sellers' accounts, newest first; the filters stand in the page's address. */
export function Sellers() {
  const t = useTranslations("operator");
  const filters = sellerFiltersOf(useSearchParams());
  const { data, error, refetch } = useQuery(sellersQuery(filters));
  return (
    <>
      <PageHead title={t("accounts")} purpose={t("purpose")} />
      <Tabs filters={filters} counts={data?.meta.counts} />
      <SearchBox filters={filters} />
      {error ? (
        <Failure error={error} onRetry={() => refetch()} />
      ) : !data ? (
        <RowBones />
      ) : data.data.length === 0 ? (
        <Empty>{t(filters.search ? "nothingFound" : "empty")}</Empty>
      ) : (
        <>
          <Table rows={data.data} />
          <Foot filters={filters} meta={data.meta} />
        </>
      )}
    </>
  );
}

function hrefOf(filters: SellerFilters): string {
  const present = Object.entries(filters).filter(([, value]) => value);
  return `/operator/accounts${present.length ? `?${new URLSearchParams(present as [string, string][])}` : ""}`;
}

/** The list is fetched from the API: the server need not render the page again. */
const go = (filters: SellerFilters) => window.history.pushState(null, "", hrefOf(filters));

const tabs = ["all", "pending", "approved", "suspended"] as const;

function Tabs({ filters, counts }: { filters: SellerFilters; counts: SellerPage["meta"]["counts"] | undefined }) {
  const t = useTranslations("operator");
  const { page: _, ...kept } = filters;
  return (
    <nav aria-label={t("statuses")} className="-mx-6 overflow-x-auto px-6 max-sm:-mx-4 max-sm:px-4">
      <ul className="flex w-max min-w-full gap-6 border-b">
        {tabs.map((tab) => {
          const here = (filters.status ?? "all") === tab;
          const target = { ...kept, status: tab === "all" ? "" : tab };
          return (
            <li key={tab}>
              <a
                href={hrefOf(target)}
                onClick={(event) => {
                  if (event.metaKey || event.ctrlKey || event.shiftKey) return;
                  event.preventDefault();
                  go(target);
                }}
                aria-current={here ? "page" : undefined}
                className={clsx(
                  "-mb-px flex h-11 items-center gap-2 whitespace-nowrap border-b-2 transition-colors",
                  here ? "border-ink font-semibold" : "border-transparent text-muted hover:text-ink",
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

function SearchBox({ filters }: { filters: SellerFilters }) {
  const t = useTranslations("operator");
  const { page: _, ...kept } = filters;
  return (
    <search className="block py-4">
      <form
        key={filters.search ?? ""}
        className="relative max-w-[480px]"
        onSubmit={(event) => {
          event.preventDefault();
          const search = String(new FormData(event.currentTarget).get("search") ?? "").trim();
          go({ ...kept, search });
        }}
      >
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute inset-y-0 left-3 my-auto size-4 text-muted"
        />
        <Input
          type="search"
          name="search"
          defaultValue={filters.search ?? ""}
          aria-label={t("search")}
          placeholder={t("searchHint")}
          maxLength={200}
          className="pl-9"
        />
      </form>
    </search>
  );
}

const head = "sticky top-0 z-10 bg-ground py-2 text-left font-medium text-caption text-muted";

function Table({ rows }: { rows: SellerAccount[] }) {
  const t = useTranslations("operator");
  return (
    <table className="w-full border-b max-sm:block">
      <caption className="sr-only">{t("accounts")}</caption>
      <thead className="max-sm:sr-only">
        <tr>
          {(["seller", "document", "state", "features", "since"] as const).map((column) => (
            <th key={column} scope="col" className={clsx(head, column === "features" && "max-md:hidden")}>
              {t(`columns.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="max-sm:block">
        {rows.map((row) => (
          <tr
            key={row.id}
            className="group relative h-11 border-t transition-colors hover:bg-line/35 max-sm:grid max-sm:h-auto max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-4 max-sm:py-2.5"
          >
            <td className="max-w-0 py-1 sm:w-[36%] sm:pr-4 max-sm:max-w-none max-sm:py-0">
              <Link
                href={`/operator/accounts/${row.id}`}
                className="block truncate font-medium after:absolute after:inset-0"
              >
                {row.name} <span className="font-normal text-muted">· {row.email}</span>
              </Link>
            </td>
            <td className="whitespace-nowrap pr-4 text-muted max-sm:order-3 max-sm:text-caption">
              {documentNumber(row.document)}
            </td>
            <td className="pr-4 max-sm:order-2 max-sm:pr-0">
              <SellerStatusWord status={row.status} />
            </td>
            <td className="pr-4 text-muted max-md:hidden">
              {row.features.length === 0
                ? t("noFeatures")
                : row.features.map((name) => t(`featureNames.${name}`)).join(", ")}
            </td>
            <td className="text-muted max-sm:order-4 max-sm:text-right max-sm:text-caption">
              <Time at={row.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Foot({ filters, meta }: { filters: SellerFilters; meta: SellerPage["meta"] }) {
  const t = useTranslations("operator");
  const router = useRouter();
  if (meta.last_page === 1) return null;
  const turn = (page: number) => router.push(hrefOf({ ...filters, page: String(page) }));
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4">
      <p className="text-caption text-muted">{t("shown", { page: meta.current_page, pages: meta.last_page })}</p>
      <div className="flex gap-2">
        <Button size="small" disabled={meta.current_page === 1} onClick={() => turn(meta.current_page - 1)}>
          {t("newer")}
        </Button>
        <Button
          size="small"
          disabled={meta.current_page === meta.last_page}
          onClick={() => turn(meta.current_page + 1)}
        >
          {t("older")}
        </Button>
      </div>
    </div>
  );
}
