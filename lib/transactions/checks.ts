import { type PostingType, plainRails, platforms } from "@/lib/ledger/chart";
import { methodNames, methods, wordOfMethod } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { isPaid, paid } from "@/lib/transactions/states";

/** The posting of a sale that was paid with money that the platform held. */
const MATCHED = "unmatched_matched" satisfies PostingType;

/** SQL: the postings that complete the sale `t`, of which it has one. */
const COMPLETED = `(${wordOfMethod(({ postings }) => postings.completed, "t")}, '${MATCHED}')`;
const EVERY_COMPLETED = inSql([...methodNames.map((name) => methods[name].postings.completed), MATCHED]);

/** SQL: the kind in which the money of the sale `t` stands at its rail, as `kindAt` says. */
const KIND_AT = `case when t.provider in ${inSql(plainRails)} then 'clearing' else 'clearing:' || t.provider end`;

/** What must hold between sales and their postings. */
export const checks: Checks = {
  clearing_of_another_rail: `select distinct t.account_id::text, t.id::text, e.kind || ' of a sale that ' || t.provider || ' received' as detail
    from transactions t
    join ledger_postings p on p.type in ${COMPLETED} and p.source_id = t.id
    join ledger_entries e on e.posting_id = p.id and (e.kind = 'clearing' or e.kind like 'clearing:%')
    where t.provider is not null and e.kind <> ${KIND_AT}`,

  sale_without_posting: `select t.account_id::text, t.id::text, t.method || ' of ' || t.amount || ' cents' as detail
    from transactions t left join ledger_postings p on p.type in ${COMPLETED} and p.source_id = t.id
    where p.id is null and ${isPaid("t")}`,

  posting_without_sale: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p left join transactions t on t.id = p.source_id and t.account_id = p.account_id
    where p.type in ${EVERY_COMPLETED} and (t.id is null or t.status not in ${inSql(paid)})`,

  posting_differs: `select t.account_id::text, t.id::text, 'clearing ' ||
      coalesce(sum(e.amount) filter (where e.kind <> 'fees'), 0) || ', sale ' || t.amount || ', fees ' ||
      coalesce(sum(e.amount) filter (where e.kind = 'fees'), 0) || ', fee ' || t.fee as detail
    from transactions t
    join ledger_postings p on p.type in ${COMPLETED} and p.source_id = t.id
    left join ledger_entries e on e.posting_id = p.id and e.account_id in ${inSql(Object.values(platforms))}
    group by t.account_id, t.id, t.amount, t.fee
    having coalesce(sum(e.amount) filter (where e.kind <> 'fees'), 0) <> -t.amount
      or coalesce(sum(e.amount) filter (where e.kind = 'fees'), 0) <> t.fee`,
};
