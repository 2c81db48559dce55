"use client";
import { Send } from "lucide-react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents, useDates, useNumbers } from "@/components/format";
import { List, type ListProps } from "@/components/list/list";
import { Row, Rows } from "@/components/list/row";
import { useList } from "@/components/list/use-list";
import { subscriptionPath } from "@/components/subscriptions/queries";
import { SubscriptionStatusWord } from "@/components/subscriptions/status";
import { useAction } from "@/components/ui/action";
import { Breadcrumb } from "@/components/ui/breadcrumb";
import { Button } from "@/components/ui/button";
import { AccountLink } from "@/components/ui/link";
import type { ListedSubscription, SubscriptionPage, SubscriptionQuery } from "@/lib/subscriptions/schema";

const statuses = ["overdue", "suspended"] as const;

/** Who owes a charge that is past its due date, and which step of the ladder comes next. */
export function Overdue({ source, curl }: ListProps<SubscriptionPage, keyof SubscriptionQuery>) {
  const t = useTranslations("subscriptions.overdue");
  const list = useTranslations("subscriptions.list");
  const words = useTranslations("subscriptions.status");
  return (
    <>
      <Breadcrumb href="/subscriptions" list={list("title")} here={t("title")} />
      <List
        {...useList(source, useApi().account)}
        title={t("title")}
        purpose={t("purpose")}
        empty={t("empty")}
        nothing={t("nothing")}
        curl={curl}
        rows={4}
        shown={list}
        tabs={{ label: words("label"), statuses, name: (tab) => words(`tabs.${tab}`) }}
        search={{ label: list("search"), hint: list("searchHint") }}
      >
        {(rows) => (
          <Rows>
            {rows.map((row) => (
              <Owing key={row.token} row={row} />
            ))}
          </Rows>
        )}
      </List>
    </>
  );
}

function Owing({ row }: { row: ListedSubscription }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.overdue");
  const { date } = useDates();
  const { token, subscriber_name: name, plan, retry_count: retries, amount_due: due, next_step: step } = row;
  const since = row.status === "suspended" ? row.suspended_at : row.overdue_since;
  return (
    <Row
      figure={money(cents(due ?? plan.amount))}
      title={
        <AccountLink href={subscriptionPath(token)} className="block truncate after:absolute after:inset-0">
          {name}
        </AccountLink>
      }
      note={<p className="truncate">{plan.name}</p>}
      cells={[
        <p key="next">
          <span className="sr-only">{t("next")} </span>
          <span className="md:block">{t(`steps.${step?.name ?? "none"}`)}</span>
          {(step || retries > 0) && (
            <span className="text-caption text-muted max-md:before:content-['_·_']">
              {step && <time dateTime={step.at}>{date(step.at)}</time>}
              {step && retries > 0 && " · "}
              {retries > 0 && t("retries", { count: retries })}
            </span>
          )}
        </p>,
        <p key="status">
          <SubscriptionStatusWord {...row} />
          {since && (
            <time dateTime={since} className="text-caption text-muted max-md:ml-2 md:block">
              {t("since", { day: date(since) })}
            </time>
          )}
        </p>,
      ]}
      end={<Resend row={row} />}
    />
  );
}

/** Issues a new Pix code for what is owed and mails it to the subscriber. */
function Resend({ row: { token, subscriber_name: name, allowed_actions } }: { row: ListedSubscription }) {
  const t = useTranslations("subscriptions.overdue");
  const api = useApi();
  const mayWrite = useMay("subscriptions:write");
  const write = useAction({
    act: () => api.patch(`/api/partner/v1/subscriptions/${token}/resend-charge`, {}),
    done: t("resent", { name }),
    refresh: [api.account, "subscriptions"],
  });
  if (!mayWrite || !allowed_actions.includes("resend_charge")) return null;
  return (
    <Button
      size="small"
      className="relative z-[1]"
      aria-label={t("resendNamed", { name })}
      busy={write.isPending}
      onClick={() => write.mutate()}
    >
      <Send aria-hidden="true" />
      {t("resend")}
    </Button>
  );
}
