"use client";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { useTimelineWords } from "@/components/timeline/words";
import type { AuditEntry } from "@/lib/audit-log/schema";

/** The subjects whose events are told by what became of the record; all others are changes by hand. */
const told = new Set(["transaction", "refund", "subscription"]);

/** The members that are amounts. */
const amounts = new Set(["amount", "fee", "net"]);

/**
 * The texts of an entry of the audit in the reader's language: what happened, who did it, what the record is called and
 * each member that changed. A kind or a member of a later version is named as the API names it.
 */
export function useAuditWords() {
  const t = useTranslations("audit");
  const words = useTimelineWords();
  const fields = useTranslations("timeline.fields");
  const { money } = useNumbers();

  return (entry: AuditEntry) => {
    const { type, subject, status, actor, name } = entry;
    const kind = told.has(subject) ? ("event" as const) : ("change" as const);
    const plain = { detail: null, reason: null, cycle_number: null, sale: null, actor: null, changes: [] };
    const item = { ...plain, id: entry.id, at: entry.at, real_at: null, kind, title: type, status };
    const who = actor?.name ?? (actor ? t(`kinds.${actor.kind}`) : t("unknown"));
    const value = (member: string, text: string | null) =>
      text !== null && amounts.has(member) && isAmount(text) ? money(cents(text)) : text;
    const changes = entry.changes.map(({ name: member, before, after }) => ({
      name: fields.has(member as "name") ? fields(member as "name") : member,
      before: value(member, before),
      after: value(member, after),
    }));
    const changed = changes.map((change) => change.name).join(", ");
    const called = name !== null && isAmount(name) ? money(cents(name)) : name; // an adjustment is called by its amount
    const note = [called, kind === "change" && changed].filter(Boolean).join(" · ");
    return { title: words(item).title, who, note, changes };
  };
}

const isAmount = (text: string) => /^-?\d+\.\d\d$/.test(text);
