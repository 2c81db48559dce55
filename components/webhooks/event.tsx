"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { ReadRecord, Record } from "@/components/record/record";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Copyable } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import { Facts, Section } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { DeliveryRow, RecordLinks } from "@/components/webhooks/delivery";
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
  const { about } = event;
  return (
    <Record
      trail={<Breadcrumb href="/events" list={t("title")} here={title} />}
      title={title}
      status={null}
      aside={
        <Section title={t("facts")} className="max-lg:order-first">
          <Facts
            rows={[
              about && [t("about"), <About key="about" about={about} />],
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
              <DeliveryRow
                webhookId={delivery.webhook ? String(delivery.webhook.id) : null}
                delivery={delivery}
                isOfEvent
              />
            </ul>
          </div>
        ))}
      </Section>
    </Record>
  );
}

/** The record that an event is about: what it is recognised by, and its pages. */
function About({ about }: { about: NonNullable<EventDetail["about"]> }) {
  const { money } = useNumbers();
  const unnamed = useTranslations("deliveries")("unnamed");
  return (
    <span className="grid gap-1">
      <span>
        {about.name ?? unnamed}
        {about.amount !== null && <span className="whitespace-nowrap"> · {money(cents(about.amount))}</span>}
      </span>
      <span className="flex flex-wrap gap-x-4 gap-y-1">
        <RecordLinks about={about} />
      </span>
    </span>
  );
}
