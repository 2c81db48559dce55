"use client";
import { ChevronRight } from "lucide-react";
import { useTranslations } from "use-intl";
import { Row, Rows } from "@/components/list/row";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { AccountLink } from "@/components/ui/link";
import { PageHead, Section } from "@/components/ui/page";
import { eventGroups, groupNames } from "@/components/webhooks/events";
import { useKindName } from "@/components/webhooks/kind-name";
import { useWhenSent } from "@/components/webhooks/when-sent";
import type { WebhookEvent } from "@/lib/webhooks/schema";

type Sent = { key: string; slug: string; name: string; registrations: readonly WebhookEvent[] };

/** Everything that a webhook may be sent, grouped as the editor of webhooks groups it. */
export function SentEvents({ sent }: { sent: readonly Sent[] }) {
  const t = useTranslations("sentEvents");
  const webhooks = useTranslations("webhooks");
  const kind = useKindName();
  const when = useWhenSent();
  return (
    <>
      <Breadcrumb href="/webhooks" list={webhooks("title")} here={t("title")} />
      <PageHead title={t("title")} purpose={t("purpose")} />
      <div className="grid gap-8">
        {groupNames.map((group) => (
          <Section key={group} title={webhooks(`groups.${group}`)}>
            <Rows>
              {eventGroups[group]
                .flatMap((event) => sent.filter(({ registrations: [first] }) => first === event))
                .map(({ key, slug, name }) => (
                  <Row
                    key={key}
                    heading="h3"
                    title={
                      <AccountLink href={`/webhooks/sent/${slug}`} className="block after:absolute after:inset-0">
                        {kind(key)}
                      </AccountLink>
                    }
                    note={
                      <>
                        <p>{when(key)}</p>
                        <code className="font-mono">{name}</code>
                      </>
                    }
                    end={<ChevronRight aria-hidden="true" className="size-4 text-muted max-md:hidden" />}
                  />
                ))}
            </Rows>
          </Section>
        ))}
      </div>
    </>
  );
}
