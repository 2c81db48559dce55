"use client";
import { useTranslations } from "use-intl";
import { useCardName } from "@/components/cards/card-name";
import { cents, useNumbers } from "@/components/format";
import type { TimelineItem } from "@/lib/timeline/schema";

type Words = { title: string; note: string | null; failed: boolean };

/**
 * The texts of an item in the reader's language: what happened, and what is known beside it. A kind of a later version is
 * some other change, never its technical name.
 */
export function useTimelineWords(): (item: TimelineItem) => Words {
  const { money } = useNumbers();
  const t = useTranslations("timeline");
  const errors = useTranslations("deliveries.errors");
  const cardName = useCardName();
  const known = (key: string) => t(t.has(key as "request") ? (key as "request") : "other");
  const whenKnown = (key: string, values: { name: string }) =>
    t.has(key as "by.person") ? t(key as "by.person", values) : null;

  return (item) => {
    const { note, ...words } = wordsOf(item);
    return { ...words, note: join(note, item.reason && t("reason", { reason: item.reason })) };
  };

  function wordsOf(item: TimelineItem): Words {
    const { kind, title, status, detail, cycle_number: number } = item;
    const charge = number === null ? null : t("charge", { number });
    const code = Number(status);
    const amount = () => status && money(cents(status));
    switch (kind) {
      case "request":
        return { title: t("request"), note: join(title, status && `HTTP ${status}`, detail), failed: code >= 400 };
      case "event": {
        const name = title.startsWith("transaction.")
          ? ofSale(item)
          : status === "paused"
            ? "subscription.paused"
            : title.replace(/\.updated$/, `.${status}`); // a record that moved is named by where it is now
        return {
          title: known(`events.${name}`),
          note: join(
            /^(refund|withdrawal)\./.test(title) && detail ? money(cents(detail)) : null,
            byWhom(item),
            charge,
          ),
          failed: name?.endsWith(".failed") ?? false,
        };
      }
      case "sale":
        return { title: known(`events.${ofSale(item)}`), note: join(charge, t("sale")), failed: false };
      case "change":
        return {
          title: known(`changes.${title}`),
          note: join(named(item), ...changed(item), byWhom(item)),
          failed: false,
        };
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
        // A charge's money is named by its charge; a sale's by the provider's id of it.
        const name = number === null ? detail : null;
        return {
          title: known(`unmatched.${title}`),
          note: join(charge, t("unmatchedNote"), amount(), name),
          failed: true,
        };
      }
      case "mail":
        return {
          title: known(`mails.${title}`),
          note: join(known(`mailStatus.${status}`), detail, charge),
          failed: status === "exhausted",
        };
      case "card":
        return { title: t("card"), note: cardName({ brand: title, last4: detail ?? "" }), failed: false };
    }
  }

  /** What a change is called beside its title: an adjustment by its amount. */
  function named({ title, detail }: TimelineItem): string | null {
    return title.startsWith("adjustment.") && detail ? money(cents(detail)) : detail;
  }

  /** Who did it, where that is somebody: what a person or program did, and what a rail reported. */
  function byWhom({ kind, actor, detail, title }: TimelineItem): string | null {
    if (kind === "event" && detail === "payer" && !title.startsWith("transaction.")) return t("by.subscriber");
    if (!actor) return null;
    const isNamed = actor.kind === "person" || actor.kind === "credential";
    return isNamed && actor.name === null ? null : whenKnown(`by.${actor.kind}`, { name: actor.name ?? "" });
  }

  /** What a change by hand changed. A member of a later version is not named. */
  function changed({ changes }: TimelineItem): string[] {
    return changes.flatMap(({ name, before, after }) => {
      if (!t.has(`fields.${name}` as "fields.name")) return [];
      const field = t(`fields.${name}` as "fields.name");
      const isShort = before !== null && after !== null && SHOWN.has(name) && before.length + after.length < 80;
      if (!isShort) return [field];
      const shown = (value: string) => (name === "amount" ? money(cents(value)) : value);
      return [`${field} ${t("changed", { before: shown(before), after: shown(after) })}`];
    });
  }
}

/** The members whose values are words of the person who changed them, or amounts. */
const SHOWN = new Set(["name", "title", "amount", "url", "max_payments", "periodicity_days"]);

const ofSale = ({ title, status }: TimelineItem) => (title.endsWith(".created") ? "created" : status);

const join = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(" · ");
