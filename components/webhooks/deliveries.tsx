"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { ListBody } from "@/components/list/body";
import { StatusSelect } from "@/components/list/status-select";
import { useList } from "@/components/list/use-list";
import { Section } from "@/components/ui/page";
import { DeliveryRow } from "@/components/webhooks/delivery";
import { deliveries } from "@/components/webhooks/queries";

const statuses = ["delivered", "pending", "failed", "exhausted"] as const;

/** The deliveries to a webhook, newest first. */
export function Deliveries({ id }: { id: number }) {
  const t = useTranslations("deliveries");
  const { result, list } = useList(deliveries(id), useApi().account);
  return (
    <Section
      title={t("title")}
      aside={
        <StatusSelect
          small
          list={list}
          label={t("status")}
          any={t("any")}
          statuses={statuses}
          name={(status) => t(status)}
        />
      }
    >
      <ListBody
        result={result}
        list={list}
        rows={5}
        place={({ data, meta }) =>
          t(meta.total_is_exact ? "shown" : "shownOfMore", { shown: data.length, total: meta.total })
        }
        empty={<p className="border-t py-8 text-muted">{t(list.filters.status ? "noneOfStatus" : "none")}</p>}
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
