"use client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Select } from "@/components/ui/field";
import { Section } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Failure } from "@/components/ui/state";
import { DeliveryRow } from "@/components/webhooks/delivery";
import { type DeliveryList, deliveriesQuery } from "@/components/webhooks/queries";

const statuses = ["delivered", "pending", "failed", "exhausted"] as const;
const OPEN_POLL_MS = 3_000;
const IDLE_POLL_MS = 15_000;

const hasOpen = (page: DeliveryList | undefined) => page?.data.some(({ status }) => status === "pending") ?? false;

/** What was sent to a webhook, newest first; it follows along while something is on its way. */
export function Deliveries({ id }: { id: number }) {
  const t = useTranslations("deliveries");
  const { account } = useApi();
  const [status, setStatus] = useState("");
  const [page, setPage] = useState(1);
  const { data, error, refetch } = useQuery({
    ...deliveriesQuery(account, id, { ...(status && { status }), page }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (hasOpen(state.data) ? OPEN_POLL_MS : IDLE_POLL_MS),
  });
  return (
    <Section
      title={t("title")}
      aside={
        <Select
          aria-label={t("status")}
          value={status}
          onChange={({ target }) => {
            setStatus(target.value);
            setPage(1);
          }}
          className="!h-8 !w-auto !pr-7 !text-caption"
        >
          <option value="">{t("any")}</option>
          {statuses.map((one) => (
            <option key={one} value={one}>
              {t(one)}
            </option>
          ))}
        </Select>
      }
    >
      {error && <Failure error={error} onRetry={() => refetch()} slim={data !== undefined} />}
      {!data ? (
        !error && <RowBones rows={5} />
      ) : data.data.length === 0 ? (
        <p className="border-t py-8 text-muted">{status ? t("noneOfStatus") : t("none")}</p>
      ) : (
        <ul className="border-b">
          {data.data.map((delivery) => (
            <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} />
          ))}
        </ul>
      )}
      {data && data.meta.last_page > 1 && (
        <div className="flex items-center justify-end gap-2 py-4">
          <span className="mr-auto text-caption text-muted">
            {t("page", { page: String(page), last: String(data.meta.last_page) })}
          </span>
          <Button size="small" disabled={page <= 1} onClick={() => setPage(page - 1)}>
            {t("newer")}
          </Button>
          <Button size="small" disabled={page >= data.meta.last_page} onClick={() => setPage(page + 1)}>
            {t("older")}
          </Button>
        </div>
      )}
    </Section>
  );
}
