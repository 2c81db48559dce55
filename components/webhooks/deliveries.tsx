"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { ListBody } from "@/components/list/body";
import { Choice } from "@/components/list/choice";
import { placeBy } from "@/components/list/list";
import { useList } from "@/components/list/use-list";
import { Section } from "@/components/ui/page";
import { DeliveryRow } from "@/components/webhooks/delivery";
import { deliveries, deliveriesAgain } from "@/components/webhooks/queries";

const statuses = ["delivered", "pending", "failed", "exhausted"] as const;

/** The deliveries to a webhook, newest first. */
export function Deliveries({ id }: { id: string }) {
  const t = useTranslations("deliveries");
  const { result, list } = useList(deliveries(id), useApi().account, { refetchMs: deliveriesAgain });
  return (
    <Section
      title={t("title")}
      aside={
        <Choice
          small
          list={list}
          filter="status"
          label={t("status")}
          any={t("any")}
          options={statuses.map((status) => [status, t(status)])}
        />
      }
    >
      <ListBody
        result={result}
        list={list}
        rows={5}
        place={placeBy(t)}
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
