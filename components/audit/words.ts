"use client";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { useTimelineWords } from "@/components/timeline/words";
import { withdrawalTerms } from "@/components/withdrawal-terms";
import type { AuditEntry } from "@/lib/audit-log/schema";

/** The subjects whose events are told by what became of the record; all others are changes by hand. */
const told = new Set(["transaction", "refund", "dispute", "subscription", "unmatched"]);

/** The members that are amounts. */
const amounts = new Set<string>([
  "amount",
  "fee",
  "net",
  "refund_fee",
  "chargeback_fee",
  "approval_above",
  "fixed",
  "minimum",
  ...withdrawalTerms,
]);

/** The subjects whose records are called by their kind. */
const kinds = new Set(["approval", "document"]);

/** The members that are lists of words. */
const lists = new Set(["roles", "scopes"]);

/**
 * The texts of an entry of the audit in the reader's language: what happened, who did it, what the record is called and
 * each member that changed. A kind or a member of a later version is named as the API names it.
 */
export function useAuditWords() {
  const t = useTranslations("audit");
  const words = useTimelineWords();
  const fields = useTranslations("timeline.fields");
  const values = useTranslations("audit.values");
  const scopes = useTranslations("scopes");
  const { money } = useNumbers();

  /** A value of a member that is one of a table's. Any other is somebody's own words. */
  function valueIn(member: string, text: string): string {
    if (member === "scopes") return scopes.has(text as "refunds:write") ? scopes(text as "refunds:write") : text;
    const key = `${member}.${text}` as "role.owner";
    return values.has(key) ? values(key) : text;
  }

  return (entry: AuditEntry) => {
    const { type, subject, status, actor, name } = entry;
    const kind = told.has(subject) ? ("event" as const) : ("change" as const);
    const plain = { detail: null, reason: null, cycle_number: null, sale: null, event: null, actor: null, changes: [] };
    const item = { ...plain, id: entry.id, at: entry.at, real_at: null, kind, title: type, status };
    const who = actor?.name ?? (actor ? t(`kinds.${actor.kind}`) : t("unknown"));
    const nameOf = (member: string) => (fields.has(member as "name") ? fields(member as "name") : member);
    const value = (member: string, text: string | null) => {
      if (text === null) return null;
      if (amounts.has(member) && isAmount(text)) return money(cents(text));
      return lists.has(member)
        ? text
            .split(", ")
            .map((one) => valueIn(member, one))
            .join(", ")
        : valueIn(member, text);
    };
    const changes = entry.changes.map(({ name: member, before, after }) => {
      const path = member.split(".");
      const last = path.at(-1) ?? member;
      return { name: path.map(nameOf).join(": "), before: value(last, before), after: value(last, after) };
    });
    const changed = [...new Set(entry.changes.map(({ name: member }) => nameOf(member.replace(/\..*/, ""))))].join(
      ", ",
    );
    const isKind = name !== null && kinds.has(subject);
    const called = isKind ? valueIn("kind", name) : value("amount", name); // an adjustment is called by its amount
    const note = [called, kind === "change" && changed].filter(Boolean).join(" · ");
    return { title: words(item).title, who, note, changes };
  };
}

const isAmount = (text: string) => /^-?\d+\.\d\d$/.test(text);
