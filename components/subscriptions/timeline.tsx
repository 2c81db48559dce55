"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleDot, type LucideIcon, Mail, ReceiptText, Send } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useDates } from "@/components/format";
import { type Subscription, type TimelineItem, timelineQuery } from "@/components/subscriptions/detail-queries";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";

const icons: Record<TimelineItem["kind"], LucideIcon> = {
  event: CircleDot,
  sale: ReceiptText,
  delivery: Send,
  mail: Mail,
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
        <ol className="grid">
          {data.map((item) => (
            <Item key={item.id} item={item} />
          ))}
        </ol>
      )}
    </Loaded>
  );
}

function Item({ item }: { item: TimelineItem }) {
  const t = useTranslations("subscriptions.detail.happened");
  const { full } = useDates();
  const { title, note, failed } = useWords()(item);
  const Icon = icons[item.kind];
  return (
    <li className="relative grid grid-cols-[24px_minmax(0,1fr)] gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-3 before:w-px before:bg-line last:pb-0 last:before:hidden">
      <Icon
        aria-hidden="true"
        className={clsx("mt-0.5 size-[18px] justify-self-center bg-ground", failed ? "text-bad" : "text-muted")}
        strokeWidth={1.75}
      />
      <div className="grid min-w-0 gap-x-4 sm:grid-cols-[minmax(0,1fr)_auto]">
        <div className="grid min-w-0">
          <p className="break-words font-medium">
            {item.sale && item.kind === "sale" ? (
              <AccountLink
                href={`/transactions/${item.sale}`}
                prefetch={false}
                className="underline underline-offset-4"
              >
                {title}
              </AccountLink>
            ) : (
              title
            )}
          </p>
          <p className={clsx("break-words text-caption", failed ? "text-bad" : "text-muted")}>{note}</p>
        </div>
        <div className="grid content-start text-caption text-muted sm:text-right">
          {item.at && <time dateTime={item.at}>{full(item.at, true)}</time>}
          {item.real_at && (
            <span>
              {t.rich("real", { time: () => <time dateTime={item.real_at ?? ""}>{full(item.real_at ?? "")}</time> })}
            </span>
          )}
        </div>
      </div>
    </li>
  );
}

/** The texts of an item, in the reader's language where the catalogue has them: what happened, and its result. */
function useWords() {
  const t = useTranslations("subscriptions.detail.happened");
  const sales = useTranslations("timeline");
  const errors = useTranslations("deliveries.errors");
  const known = (key: string, otherwise: string) => (t.has(key as "charge") ? t(key as "sale") : otherwise);
  return ({ kind, title, status, detail, cycle_number: number }: TimelineItem) => {
    const charge = number === null ? null : t("charge", { number });
    switch (kind) {
      case "event":
        return { title: known(`events.${title}`, title), note: join(charge, title), failed: title === "cycle.failed" };
      case "sale": {
        const name = title.endsWith(".created") ? "created" : status;
        const otherwise = status === "pending" ? t("codeReady") : title;
        const words = sales.has(`events.${name}` as "event") ? sales(`events.${name}` as "event") : otherwise;
        return { title: words, note: join(charge, t("sale")), failed: false };
      }
      case "delivery": {
        const code = Number(status);
        const error = status && errors.has(status as "dns") ? errors(status as "dns") : status && `HTTP ${status}`;
        return {
          title: sales("sent", { event: title }),
          note: join(error, detail),
          failed: !(code >= 200 && code < 300),
        };
      }
      case "mail": {
        const failed = status === "exhausted";
        return {
          title: known(`mails.${title}`, title),
          note: join(known(`mailStatus.${status}`, status ?? ""), detail, charge),
          failed,
        };
      }
    }
  };
}

const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(" · ");
