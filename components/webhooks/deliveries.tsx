"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { ListBody } from "@/components/list/body";
import { useList } from "@/components/list/use-list";
import { Select } from "@/components/ui/field";
import { Section } from "@/components/ui/page";
import { DeliveryRow } from "@/components/webhooks/delivery";
import { deliveries } from "@/components/webhooks/queries";

const statuses = ["delivered", "pending", "failed", "exhausted"] as const;

/** The deliveries to a webhook, newest first. */
export function Deliveries({ id }: { id: number }) {
  const t = useTranslations("deliveries");
  const { result, list } = useList(deliveries(id), useApi().account);
  const { status = "" } = list.filters;
  return (
    <Section
      title={t("title")}
      aside={
        <Select
          aria-label={t("status")}
          value={status}
          onChange={({ target }) => list.go({ status: target.value })}
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
      <ListBody
        result={result}
        list={list}
        rows={5}
        place={({ data, meta }) =>
          t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
        }
        empty={<p className="border-t py-8 text-muted">{t(status ? "noneOfStatus" : "none")}</p>}
      >
        {(rows) => (
          <ul className="border-b">
            {rows.map((delivery) => (
              <DeliveryRow key={delivery.id} webhookId={id} delivery={delivery} />
            ))}
          </ul>
        )}
      </ListBody>
    </Section>
  );
}
