import { codeOf as codeOfDispute } from "@/lib/disputes/record";
import { codeOf } from "@/lib/refunds/record";
import type { Ask } from "@/lib/statement/ask";
import { abouts } from "@/lib/statement/lines";
import type { StatementLine } from "@/lib/statement/schema";
import { monthOf } from "@/lib/time/calendar";

/** What a line's posting is about: who else has part in it, what was written of it, and its record. */
export type Cause = Pick<StatementLine, "party" | "reason" | "record">;
type Subject = NonNullable<StatementLine["record"]>["subject"];
type Found = { source: string; id: string | null; party?: string | null; reason?: string | null; at?: string | null };

/** How the sources of a kind are read, for a page in one statement, and of which subject their records are. */
type Reader = { subject: Subject | null; text: string };

/** SQL: `$1` is the account, `$2` the sources of the lines. */
const OF_SOURCES = "account_id = $1::uuid and id = any($2::uuid[])";

/** What a posting's source may be, and the records behind it. A source that none of its readers finds has no record. */
const readers: Readonly<Record<string, readonly Reader[]>> = {
  sale: [
    {
      subject: "transaction",
      text: `select id as source, id, description as reason from transactions where ${OF_SOURCES}`,
    },
  ],
  refund: [{ subject: "refund", text: `select id as source, id from refunds where ${OF_SOURCES}` }],
  /** Of a sale of the account's own, and of one of another seller that the account has part in. */
  share: [
    {
      subject: "transaction",
      text: `select id as source, transaction_id as id, name as party from shares where ${OF_SOURCES}`,
    },
    {
      subject: "earning",
      text: `select e.id as source, e.id, o.seller_name as party, e.paid_at as at
        from (select id, seller_id, paid_at from earnings where ${OF_SOURCES}) e
        left join (
          select s.seller_id, offer.seller_name
          from (select distinct seller_id from earnings where ${OF_SOURCES}) s
          cross join lateral plan_offer(s.seller_id, null) offer
        ) o on o.seller_id = e.seller_id`,
    },
  ],
  returnedShare: [
    {
      subject: "refund",
      text: `select s.id as source, s.refund_id as id, p.name as party
        from (select account_id, id, refund_id, share_id from refund_shares where ${OF_SOURCES}) s
        left join lateral (select name from shares where account_id = s.account_id and id = s.share_id offset 0) p on true`,
    },
    {
      subject: "dispute",
      text: `select s.id as source, s.dispute_id as id, p.name as party
        from (select account_id, id, dispute_id, share_id from dispute_shares where ${OF_SOURCES}) s
        left join lateral (select name from shares where account_id = s.account_id and id = s.share_id offset 0) p on true`,
    },
  ],
  /** What was blocked after a dispute was opened is a source of its own. */
  dispute: [
    { subject: "dispute", text: `select id as source, id from disputes where ${OF_SOURCES}` },
    { subject: "dispute", text: `select id as source, dispute_id as id from dispute_blocks where ${OF_SOURCES}` },
  ],
  /** Money that came back is a source of its own. */
  withdrawal: [
    {
      subject: "withdrawal",
      text: `select id as source, id from withdrawals where ${OF_SOURCES}`,
    },
    {
      subject: "withdrawal",
      text: `select id as source, withdrawal_id as id from withdrawal_returns where ${OF_SOURCES}`,
    },
  ],
  adjustment: [
    { subject: null, text: `select id as source, null::uuid as id, reason from adjustments where ${OF_SOURCES}` },
  ],
};

/** Where the dashboard shows the records of a subject. */
const paths: { readonly [subject in Subject]: (found: Found) => { id: string; path: string } } = {
  transaction: ({ id }) => ({ id: String(id), path: `/transactions/${id}` }),
  refund: ({ id }) => at("/refunds", codeOf({ id: String(id) })),
  earning: ({ id, at }) => ({ id: String(id), path: `/splits/earnings/sales?month=${monthOf(new Date(at ?? 0))}` }),
  withdrawal: ({ id }) => at("/withdrawals", String(id)),
  dispute: ({ id }) => at("/disputes", codeOfDispute({ id: String(id) })),
};
const at = (path: string, id: string) => ({ id, path: `${path}/${id}` });

type Line = { type: string; source_id: string };
const nothing: Cause = { party: null, reason: null, record: null };

/** Reads the causes of an account's lines, one statement for each kind of source that they have. Returns that of one. */
export async function readCauses(ask: Ask, accountId: string, lines: readonly Line[]): Promise<(line: Line) => Cause> {
  const sources = new Map<string, Set<string>>();
  for (const { type, source_id } of lines) {
    for (const kind of kindsOf(type)) sources.set(kind, (sources.get(kind) ?? new Set()).add(source_id));
  }
  const causes = new Map<string, Cause>();
  for (const [kind, ids] of sources) {
    for (const { subject, text } of readers[kind] ?? []) {
      for (const found of await ask<Found>(text, [accountId, [...ids]]))
        causes.set(found.source, causeOf(subject, found));
    }
  }
  return ({ source_id }) => causes.get(source_id) ?? nothing;
}

function kindsOf(type: string): readonly string[] {
  const [, source] = abouts[type as keyof typeof abouts] ?? [];
  return source === undefined || source === null ? [] : source === "saleOrShare" ? ["sale", "share"] : [source];
}

const causeOf = (subject: Subject | null, found: Found): Cause => ({
  party: found.party ?? null,
  reason: found.reason ?? null,
  record: subject && { subject, ...paths[subject](found) },
});
