"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { SendingRow } from "@/components/list/sending";
import type { AccountPath } from "@/components/paths";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { AccountLink } from "@/components/ui/link";
import type { Tone } from "@/components/ui/status";
import { Attempt } from "@/components/webhooks/attempt";
import { useKindName } from "@/components/webhooks/kind-name";
import type { Delivery } from "@/lib/webhooks/schema";

const tones: Record<Delivery["status"], Tone> = {
  delivered: "good",
  pending: "info",
  failed: "warn",
  exhausted: "bad",
};

type Props = {
  webhookId: string | null;
  delivery: Delivery;
  /** Whether it stands on its event's own page, which says what it is about. */
  isOfEvent?: boolean;
};

/** A row of the list; opened, it shows every attempt with body and answer. */
export function DeliveryRow({ webhookId, delivery, isOfEvent = false }: Props) {
  const t = useTranslations("deliveries");
  const { money } = useNumbers();
  const { id, event, event_id, about, status, error, attempt, response_status } = delivery;
  const { created_at, next_attempt_at, attempts } = delivery;
  const kind = useKindName();
  return (
    <SendingRow
      title={
        <>
          <span className="font-medium">{kind(event)}</span>
          {about && (
            <>
              {` · ${about.name ?? t("unnamed")}`}
              {about.amount !== null && <span className="whitespace-nowrap"> · {money(cents(about.amount))}</span>}
            </>
          )}
        </>
      }
      at={created_at}
      status={{ tone: tones[status], text: t(status) }}
      attempts={t("attempts", { count: attempt })}
      error={error !== null && status !== "delivered" ? t(`errors.${error}`) : null}
      answered={response_status}
      next={next_attempt_at === null ? null : { text: t("next"), at: next_attempt_at }}
    >
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 text-caption text-muted">
          {t("technicalName")} <code className="font-mono">{event}</code>
          {!isOfEvent && (
            <>
              <span className="basis-full" />
              {t("eventId")} <Copyable text={event_id} />
            </>
          )}
        </span>
        {!isOfEvent && about && (
          <span className="flex flex-wrap gap-x-4 gap-y-1">
            <RecordLinks about={about} />
            <AccountLink href={`/events/${event_id}`} className={link}>
              {t("seeEvent")}
            </AccountLink>
          </span>
        )}
        {webhookId !== null && <Resend webhookId={webhookId} deliveryId={id} />}
      </div>
      {attempts.length === 0 ? (
        <p className="text-muted">{t("noAttempt")}</p>
      ) : (
        attempts.map((one) => <Attempt key={one.attempt} attempt={one} />)
      )}
    </SendingRow>
  );
}

/** Links to the pages of what an event is about. A record of a later version has none here. */
export function RecordLinks({ about: { records } }: { about: NonNullable<Delivery["about"]> }) {
  const t = useTranslations("deliveries.subjects");
  return records.map(
    ({ subject, id }) =>
      isKnown(subject) && (
        <AccountLink key={id} href={pages[subject](id)} className={link}>
          {t(subject)}
        </AccountLink>
      ),
  );
}

const pages = {
  transaction: (id: string): AccountPath => `/transactions/${id}`,
  subscription: (id: string): AccountPath => `/subscriptions/${id}`,
  refund: (id: string): AccountPath => `/refunds/${id}`,
  dispute: (id: string): AccountPath => `/disputes/${id}`,
  withdrawal: (id: string): AccountPath => `/withdrawals/${id}`,
};
const isKnown = (subject: string): subject is keyof typeof pages => Object.hasOwn(pages, subject);

const link = "font-medium text-accent underline underline-offset-4";

function Resend({ webhookId, deliveryId }: { webhookId: string; deliveryId: string }) {
  const t = useTranslations("deliveries");
  const api = useApi();
  const mayWrite = useMay("webhooks:write");
  const resend = useAction({
    act: () => api.post(`/api/partner/v1/webhooks/${webhookId}/deliveries/${deliveryId}/resend`),
    done: t("resent"),
    refresh: [api.account, "webhooks", "deliveries", webhookId],
  });
  if (!mayWrite) return null;
  return (
    <Button size="small" busy={resend.isPending} onClick={() => resend.mutate()}>
      {t("resend")}
    </Button>
  );
}
