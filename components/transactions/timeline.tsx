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

/** Everything that happened around a sale in one order: requests, events, deliveries, ledger lines, unmatched money. */
export function SaleTimeline({ items }: { items: TimelineItem[] }) {
  const wordsOf = useWords();
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

/** The texts of an item, in the reader's language where the catalogue has them: what happened, and its result. */
function useWords() {
  const { money } = useNumbers();
  const t = useTranslations("timeline");
  const errors = useTranslations("deliveries.errors");
  const known = (key: string, otherwise: string) => (t.has(key as "request") ? t(key as "request") : otherwise);
  return ({ kind, title, status, detail }: TimelineItem) => {
    const code = Number(status);
    switch (kind) {
      case "request":
        return { title, note: join(t("request"), status, detail), failed: code >= 400 };
      case "event": {
        const name = title.endsWith(".created") ? "created" : status;
        return { title: known(`events.${name}`, title), note: join(t("event"), title), failed: false };
      }
      case "delivery": {
        const error = status && errors.has(status as "dns") ? errors(status as "dns") : status && `HTTP ${status}`;
        const event = known(`webhooks.${title}`, title);
        return { title: t("sent", { event }), note: join(title, error, detail), failed: !(code >= 200 && code < 300) };
      }
      case "ledger":
        return {
          title: known(`ledgerLines.${title}`, title),
          note: join(t("ledger"), detail && money(cents(detail)), known(`kinds.${status}`, status ?? "")),
          failed: false,
        };
      case "unmatched": {
        const amount = status && money(cents(status));
        return {
          title: known(`unmatched.${title}`, title),
          note: join(t("unmatchedNote"), amount, detail),
          failed: true,
        };
      }
    }
  };
}

const join = (...parts: (string | null)[]) => parts.filter(Boolean).join(" · ");
