"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CircleDot, CircleHelp, CreditCard, type LucideIcon, Mail, ReceiptText, Send } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useCardName } from "@/components/cards/card-name";
import { cents, useNumbers } from "@/components/format";
import { type Subscription, type TimelineItem, timelineQuery } from "@/components/subscriptions/detail-queries";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Happening, OnClocks, Timeline } from "@/components/ui/timeline";

const icons: Record<TimelineItem["kind"], LucideIcon> = {
  event: CircleDot,
  sale: ReceiptText,
  unmatched: CircleHelp,
  delivery: Send,
  mail: Mail,
  card: CreditCard,
};

/** What happened around a subscription, newest first. It is read again whenever the subscription has changed. */
export function SubscriptionTimeline({ subscription }: { subscription: Subscription }) {
  const { account } = useApi();
  const client = useQueryClient();
  const query = timelineQuery(account, subscription.token);
  const result = useQuery(query);
  const seen = useRef(subscription);
  const { queryKey } = query;
  useEffect(() => {
    if (seen.current === subscription) return;
    seen.current = subscription;
    client.invalidateQueries({ queryKey });
  }, [subscription, client, queryKey]);
  return (
    <Loaded result={result} skeleton={<RowsSkeleton rows={5} />}>
      {({ data }) => (
        <Timeline>
          {data.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </Timeline>
      )}
    </Loaded>
  );
}

function Item({ item }: { item: TimelineItem }) {
  const { title, ...words } = useSubscriptionWords()(item);
  return (
    <Happening
      icon={icons[item.kind]}
      title={
        item.sale && (item.kind === "sale" || item.kind === "unmatched") ? (
          <AccountLink href={`/transactions/${item.sale}`} className="underline underline-offset-4">
            {title}
          </AccountLink>
        ) : (
          title
        )
      }
      {...words}
      when={<OnClocks {...item} />}
    />
  );
}

/** The texts of an item, as those of a sale's timeline are. */
export function useSubscriptionWords() {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.happened");
  const sales = useTranslations("timeline");
  const errors = useTranslations("deliveries.errors");
  const cardName = useCardName();
  const ofSales = (key: string) => sales(sales.has(key as "other") ? (key as "other") : "other");
  const known = (key: string) => (t.has(key as "charge") ? t(key as "sale") : sales("other"));
  return ({ kind, title, status, detail, cycle_number: number }: TimelineItem) => {
    const charge = number === null ? null : t("charge", { number });
    switch (kind) {
      case "event": {
        const name = status === "paused" ? "subscription.paused" : title;
        const by = detail && known(`by.${detail}`);
        return { title: known(`events.${name}`), note: join(by, charge), failed: title === "cycle.failed" };
      }
      case "sale": {
        const name = title.endsWith(".created") ? "created" : status;
        return { title: ofSales(`events.${name}`), note: join(charge, t("sale")), failed: false };
      }
      case "unmatched": {
        const amount = status && money(cents(status));
        return {
          title: ofSales(`unmatched.${title}`),
          note: join(charge, sales("unmatchedNote"), amount),
          failed: true,
        };
      }
      case "delivery": {
        const code = Number(status);
        const error = status && errors.has(status as "dns") ? errors(status as "dns") : status && `HTTP ${status}`;
        return {
          title: sales("sent", { event: ofSales(`webhooks.${title}`) }),
          note: join(error, detail),
          failed: !(code >= 200 && code < 300),
        };
      }
      case "mail": {
        const failed = status === "exhausted";
        return {
          title: known(`mails.${title}`),
          note: join(known(`mailStatus.${status}`), detail, charge),
          failed,
        };
      }
      case "card":
        return { title: t("card"), note: cardName({ brand: title, last4: detail ?? "" }), failed: false };
    }
  };
}

const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(" · ");
