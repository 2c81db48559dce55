"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { ReadRecord, Record } from "@/components/record/record";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Copyable } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { DeliveryRow } from "@/components/webhooks/delivery";
import { useKindName } from "@/components/webhooks/kind-name";
import { eventQuery } from "@/components/webhooks/queries";
import type { EventDetail } from "@/lib/webhooks/schema";

/** An event, and whom it was sent to. */
export function EventRecord({ id }: { id: string }) {
  const t = useTranslations("events");
  const { account } = useApi();
  const result = useQuery(eventQuery(account, id));
  return (
    <ReadRecord result={result} title={t("one")}>
      {({ data }) => <Known event={data} />}
    </ReadRecord>
  );
}

function Known({ event }: { event: EventDetail }) {
  const t = useTranslations("events");
  const title = useKindName()(event.names.at(-1) ?? "");
  return (
    <Record
      trail={<Breadcrumb href="/events" list={t("title")} here={title} />}
      title={title}
      status={null}
      aside={
        <Section title={t("facts")} className="max-lg:order-first">
          <Facts
            rows={[
              [t("happenedAt"), <Time key="at" at={event.created_at} absolute real />],
              [
                t("names"),
                <code key="names" className="font-mono text-caption">
                  {event.names.join(", ")}
                </code>,
              ],
              [t("id"), <Copyable key="id" text={event.id} />],
            ]}
          />
        </Section>
      }
      timeline={null}
      raw={event}
    >
      <Section title={t("deliveries")}>
        {event.deliveries.length === 0 && <p className="border-t py-8 text-muted">{t("none")}</p>}
        {event.deliveries.map((delivery) => (
          <div key={delivery.id} className="grid gap-1">
            <p className="text-caption">
              {delivery.webhook ? (
                <AccountLink
                  href={`/webhooks/${delivery.webhook.id}`}
                  className="text-accent underline underline-offset-4"
                >
                  {delivery.webhook.title}
                </AccountLink>
              ) : (
                t("callback")
              )}
            </p>
            <ul className="border-b">
              <DeliveryRow webhookId={delivery.webhook ? String(delivery.webhook.id) : null} delivery={delivery} />
            </ul>
          </div>
        ))}
      </Section>
    </Record>
  );
}
