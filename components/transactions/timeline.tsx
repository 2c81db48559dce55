"use client";
import { ArrowLeftRight, CircleDot, CircleHelp, type LucideIcon, Send, Terminal } from "lucide-react";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import type { TimelineItem } from "@/components/transactions/queries";
import { Happening, OnClocks, Timeline } from "@/components/ui/timeline";

const icons: Record<TimelineItem["kind"], LucideIcon> = {
  request: Terminal,
  event: CircleDot,
  delivery: Send,
  ledger: ArrowLeftRight,
  unmatched: CircleHelp,
};

/** Everything that happened around a sale, newest first: requests, events, deliveries, ledger lines, unmatched money. */
export function SaleTimeline({ items }: { items: TimelineItem[] }) {
  const wordsOf = useSaleWords();
  return (
    <Timeline>
      {items.map((item) => (
        <Happening
          key={`${item.kind}-${item.id}`}
          icon={icons[item.kind]}
          {...wordsOf(item)}
          when={<OnClocks {...item} />}
        />
      ))}
    </Timeline>
  );
}

/**
 * The texts of an item in the reader's language: what happened, and its result. A kind of a later version is some other
 * change, never its technical name.
 */
export function useSaleWords() {
  const { money } = useNumbers();
  const t = useTranslations("timeline");
  const errors = useTranslations("deliveries.errors");
  const known = (key: string) => t(t.has(key as "request") ? (key as "request") : "other");
  return ({ kind, title, status, detail }: TimelineItem) => {
    const code = Number(status);
    switch (kind) {
      case "request":
        return { title: t("request"), note: join(title, status && `HTTP ${status}`, detail), failed: code >= 400 };
      case "event": {
        const name = title.endsWith(".created") ? "created" : status;
        return { title: known(`events.${name}`), note: null, failed: false };
      }
      case "delivery": {
        const error = status && errors.has(status as "dns") ? errors(status as "dns") : status && `HTTP ${status}`;
        const event = known(`webhooks.${title}`);
        return { title: t("sent", { event }), note: join(error, detail), failed: !(code >= 200 && code < 300) };
      }
      case "ledger":
        return {
          title: known(`ledgerLines.${title}`),
          note: join(t("ledger"), detail && money(cents(detail)), status && known(`kinds.${status}`)),
          failed: false,
        };
      case "unmatched": {
        const amount = status && money(cents(status));
        return {
          title: known(`unmatched.${title}`),
          note: join(t("unmatchedNote"), amount, detail),
          failed: true,
        };
      }
    }
  };
}

const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(" · ");
