import { platforms } from "@/lib/ledger/chart";
import { methodNames, methods } from "@/lib/methods/methods";
import type { Checks } from "@/lib/reconcile/check";
import { inSql } from "@/lib/states";
import { heldUnmatched } from "@/lib/unmatched/states";

const RECEIVED = inSql(methodNames.map((name) => methods[name].postings.unmatched));
const RETURNED = inSql(methodNames.map((name) => methods[name].postings.unmatchedReturned));
const HELD = inSql(heldUnmatched);

/** SQL: what the postings of a type and source moved into or out of unmatched money, in cents. */
const movedBy = (postings: string) => `(select coalesce(sum(e.amount), 0) from ledger_postings p
    join ledger_entries e on e.posting_id = p.id and e.kind = 'unmatched' where ${postings})`;

/** SQL: what took it from the platform again: the sale that it paid, the account that it was credited to, the rail that it was moved from, or its return. */
const LEFT = `${movedBy("p.type = 'unmatched_matched' and p.source_id = u.to_sale_id")}
  + ${movedBy("p.type = 'unmatched_credited' and p.source_id = u.id")}
  + ${movedBy("p.type = 'unmatched_transferred' and p.source_id = u.id")}
  + ${movedBy(`p.type in ${RETURNED} and p.source_id = u.id`)}`;

/** What must hold between unmatched money and its postings. */
export const checks: Checks = {
  unmatched_differs: `select null::text as account_id, u.end_to_end_id as id, u.amount || ' cents, posted ' || came.amount as detail
    from unmatched_receipts u
    cross join lateral (select ${movedBy(`p.type in ${RECEIVED} and p.source_id = u.id`)} as amount) came
    where came.amount <> u.amount`,

  unmatched_decision_differs: `select null::text as account_id, u.id::text,
      u.status || ' of ' || u.amount || ' cents, posted ' || went.amount as detail
    from unmatched_receipts u cross join lateral (select ${LEFT} as amount) went
    where went.amount <> case when u.status in ${HELD} then 0 else -u.amount end`,

  unmatched_sum_differs: `select p.id::text as account_id, p.mode as id, 'held ' || held.amount || ', posted ' || posted.amount as detail
    from (values ('${platforms.live}'::uuid, 'live'), ('${platforms.sandbox}'::uuid, 'sandbox')) as p(id, mode)
    cross join lateral (
      select coalesce(sum(amount), 0) as amount from unmatched_receipts where mode::text = p.mode and status in ${HELD}
    ) held
    cross join lateral (
      select coalesce(sum(amount), 0) as amount from ledger_entries where account_id = p.id and kind = 'unmatched'
    ) posted
    where held.amount <> posted.amount`,

  unmatched_sale_differs: `select u.to_account_id::text as account_id, u.to_sale_id::text as id,
      u.amount || ' cents of ' || u.mode || ' money for a sale of ' || coalesce(t.amount::text, 'nothing') as detail
    from unmatched_receipts u
    left join transactions t on t.account_id = u.to_account_id and t.id = u.to_sale_id
    left join accounts a on a.id = t.account_id
    where u.to_sale_id is not null and (t.id is null or t.amount <> u.amount or a.mode <> u.mode
      or t.end_to_end_id is distinct from u.end_to_end_id)`,

  unmatched_paid_a_sale: `select t.account_id::text, t.id::text, 'paid by ' || u.end_to_end_id || ', which is ' || u.status || ' unmatched money' as detail
    from unmatched_receipts u join transactions t on t.end_to_end_id = u.end_to_end_id and t.id is distinct from u.to_sale_id`,

  unmatched_of_another_mode: `select u.account_id::text, u.id::text, u.mode || ' money with an account of ' || a.mode as detail
    from unmatched_receipts u join accounts a on a.id = u.account_id and a.mode <> u.mode`,

  posting_without_unmatched: `select p.account_id::text, p.source_id::text as id, p.type as detail
    from ledger_postings p left join unmatched_receipts u on u.id = p.source_id
    where (p.type in ${RECEIVED} or p.type in ${RETURNED} or p.type in ('unmatched_credited', 'unmatched_transferred')) and u.id is null`,
};
