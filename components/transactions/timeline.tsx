"use client";
import { clsx } from "clsx";
import { ArrowLeftRight, CircleDot, CircleHelp, type LucideIcon, Send, Terminal } from "lucide-react";
import { useTranslations } from "use-intl";
import { cents, money, useDates } from "@/components/format";
import type { TimelineItem } from "@/components/transactions/queries";

const icons: Record<TimelineItem["kind"], LucideIcon> = {
  request: Terminal,
  event: CircleDot,
  delivery: Send,
  ledger: ArrowLeftRight,
  unmatched: CircleHelp,
};

/** Everything that happened around a sale in one order: requests, events, deliveries, ledger lines, unmatched money. */
export function Timeline({ items }: { items: TimelineItem[] }) {
  const { full } = useDates();
  const wordsOf = useWords();
  return (
    <ol className="grid">
      {items.map((item) => {
        const Icon = icons[item.kind];
        const { title, note, failed } = wordsOf(item);
        return (
          <li
            key={`${item.kind}-${item.id}`}
            className="relative grid grid-cols-[24px_minmax(0,1fr)] gap-3 pb-5 before:absolute before:top-6 before:bottom-0 before:left-3 before:w-px before:bg-line last:pb-0 last:before:hidden"
          >
            <Icon
              aria-hidden="true"
              className={clsx("mt-0.5 size-[18px] justify-self-center bg-ground", failed ? "text-bad" : "text-muted")}
              strokeWidth={1.75}
            />
            <div className="grid min-w-0 gap-x-4 sm:grid-cols-[minmax(0,1fr)_auto]">
              <div className="grid min-w-0">
                <p className="break-words font-medium">{title}</p>
                <p className={clsx("break-words text-caption", failed ? "text-bad" : "text-muted")}>{note}</p>
              </div>
              <time dateTime={item.at} className="text-caption text-muted">
                {full(item.at, true)}
              </time>
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** The texts of an item, in the reader's language where the catalogue has them: what happened, and its result. */
function useWords() {
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
        return { title: t("sent", { event: title }), note: join(error, detail), failed: !(code >= 200 && code < 300) };
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
