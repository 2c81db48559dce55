import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { assertFew, MAX_DIFFERENCES } from "@/lib/differences/failure";
import type { Movement } from "@/lib/differences/movement";
import type { DifferenceKind } from "@/lib/differences/states";
import { returned } from "@/lib/reversals/returned";
import { openRefunds } from "@/lib/reversals/states";
import { inSql } from "@/lib/states";

/** A span of a rail's clock: from `from` on, and before `to`. */
export type Part = { from: Date; to: Date };

/**
 * Our payments that are named or were paid at a rail within a part, with what went back of each; with `returned` of those that are
 * not named only such of which something did. Throws where so many are not named that none is worth reading.
 */
export const readPayments = (
  provider: string,
  named: readonly string[],
  part: Part,
  which: "all" | "returned",
): Promise<Movement[]> => readPart(`differences_${which}`, paymentsOf(which), { provider, named, part, of: "payment" });

/** The same of our payouts that are named or were sent over a rail within a part, with what came back of each. */
export const readPayouts = (provider: string, named: readonly string[], part: Part): Promise<Movement[]> =>
  readPart("differences_payouts", PAYOUTS, { provider, named, part, of: "payout" });

type Asked = { provider: string; named: readonly string[]; part: Part; of: DifferenceKind };

/** Reads no more of ours than can be compared: a day may have a million payments of which a PSP's list has none. */
async function readPart(name: string, text: string, { provider, named, part, of }: Asked): Promise<Movement[]> {
  const limit = named.length + MAX_DIFFERENCES + 1;
  const found = await runPrepared<Movement>(name, text, [provider, named, part.from, part.to, limit]);
  const isNamed = new Set(named);
  assertFew(found.filter(({ kind, id }) => kind === of && !isNamed.has(id)).length);
  return found;
}

/** SQL: a movement of ours, in the order of `Movement`. */
const movement = (kind: string, { id, parent, amount, state, happened, at, account }: Record<string, string>) =>
  `select '${kind}' as kind, ${id} as id, ${parent} as "parentId", ${amount}::float8 as amount, ${state} as state,
    ${happened} as "happenedAt", ${at} as at, ${account} as "accountId"`;

const SALE = "account_id, id, end_to_end_id, amount, paid_at";
const MONEY = "account_id, id, end_to_end_id, amount, received_at, return_id, status, updated_at";

/** Sales first, because unmatched money that was matched is the sale's. Each is found by an index. */
const paymentsOf = (which: "all" | "returned") => `with ${SCOPE_OF_ALL}, named as materialized (
    select one from scope cross join unnest($2::text[]) as one offset 0
  ), sale as materialized (
    select t.* from named cross join lateral (
      select ${SALE} from transactions where end_to_end_id = named.one and provider = $1 offset 0
    ) t
    union (
      select ${SALE} from transactions where ${IN_SCOPE} and provider = $1 and paid_at >= $3::timestamptz and paid_at < $4::timestamptz
        and end_to_end_id is not null ${which === "returned" ? "and refunded_amount > 0" : ""} limit $5
    )
  ), money as materialized (
    select u.* from named cross join lateral (
      select ${MONEY} from unmatched_receipts where provider = $1 and end_to_end_id = named.one and status <> 'matched' offset 0
    ) u
    union (
      select ${MONEY} from unmatched_receipts
      where ${IN_SCOPE} and provider = $1 and received_at >= $3::timestamptz and received_at < $4::timestamptz
        and status <> 'matched' ${which === "returned" ? "and return_id is not null" : ""} limit $5
    )
  )
  ${movement("payment", {
    ...{ id: "end_to_end_id", parent: "null::text", amount: "amount", state: "'done'" },
    ...{ happened: "paid_at", at: "paid_at", account: "account_id" },
  })} from sale
  union all ${movement("payment", {
    ...{ id: "end_to_end_id", parent: "null", amount: "amount", state: "'done'" },
    ...{ happened: "received_at", at: "received_at", account: "account_id" },
  })} from money
  union all ${movement("return", {
    ...{ id: "return_id::text", parent: "end_to_end_id", amount: "amount" },
    state: "case status when 'returned' then 'done' when 'returning' then 'under_way' else 'failed' end",
    ...{ happened: "received_at", at: "updated_at", account: "account_id" },
  })} from money where return_id is not null
  union all ${movement("return", {
    ...{ id: "r.id::text", parent: "s.end_to_end_id", amount: "r.amount" },
    state: `case when r.status = '${returned}' then 'done' when r.status in ${inSql(openRefunds)} then 'under_way' else 'failed' end`,
    ...{ happened: "s.paid_at", at: "r.updated_at", account: "r.account_id" },
  })} from sale s cross join lateral (
    select * from refunds where account_id = s.account_id and transaction_id = s.id offset 0
  ) r
  union all ${movement("return", {
    ...{ id: "d.provider_id", parent: "s.end_to_end_id" },
    amount: "case d.status when 'lost' then d.lost_amount else d.amount end",
    state: "case d.status when 'lost' then 'done' when 'open' then 'under_way' else 'failed' end",
    ...{ happened: "s.paid_at", at: "d.updated_at", account: "d.account_id" },
  })} from sale s cross join lateral (
    select * from disputes where account_id = s.account_id and transaction_id = s.id offset 0
  ) d where d.provider = $1`;

const PAYOUT = "account_id, id, amount, status, coalesce(sent_at, created_at) as sent_at, updated_at";

const PAYOUTS = `with ${SCOPE_OF_ALL}, sent as materialized (
    select w.* from (select one from scope cross join unnest($2::uuid[]) as one offset 0) named cross join lateral (
      select ${PAYOUT} from withdrawals where id = named.one and provider = $1 offset 0
    ) w
    union (
      select ${PAYOUT} from withdrawals
      where ${IN_SCOPE} and provider = $1 and sent_at is not null and sent_at >= $3::timestamptz and sent_at < $4::timestamptz
      limit $5
    )
  )
  ${movement("payout", {
    ...{ id: "id::text", parent: "null::text", amount: "amount" },
    state: `case when status in ('paid', 'returned') then 'done'
      when status in ('failed', 'cancelled', 'lapsed') then 'failed' else 'under_way' end`,
    ...{ happened: "sent_at", at: "updated_at", account: "account_id" },
  })} from sent
  union all ${movement("payout_return", {
    ...{ id: "r.return_id", parent: "r.withdrawal_id::text", amount: "r.amount", state: "'done'" },
    ...{ happened: "w.sent_at", at: "r.created_at", account: "r.account_id" },
  })} from sent w cross join lateral (
    select * from withdrawal_returns where account_id = w.account_id and withdrawal_id = w.id offset 0
  ) r`;
