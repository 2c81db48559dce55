import type { AccountContext } from "@/lib/accounts/context";
import { readBalanceIn } from "@/lib/accounts/read";
import { readFor } from "@/lib/db";
import { codeOf as codeOfDispute } from "@/lib/disputes/record";
import type { PostingType } from "@/lib/ledger/chart";
import { COUNTED, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { decimal } from "@/lib/money";
import { codeOf } from "@/lib/refunds/record";
import type { StatementLine, StatementPage, StatementQuery } from "@/lib/statement/schema";
import { iso } from "@/lib/time/clock";

/** The account's statement: every line of its ledger, newest first, and its balance. */
export async function readStatement({ id }: AccountContext, query: StatementQuery): Promise<StatementPage> {
  const { skip, take } = pageAfter(query);
  return readFor(id, async (tx) => {
    const balance = await readBalanceIn(tx, id);
    const [count] = await tx.$queryRawUnsafe<{ found: number }[]>(COUNT, id);
    const lines = await tx.$queryRawUnsafe<Line[]>(LINES, id, query.cursor ?? null, skip, take);
    const { shown, meta } = pageOfRead(lines, upTo(count?.found ?? 0), query);
    return { data: shown.map(present), meta: { ...meta, balance } };
  });
}

type Line = Pick<StatementLine, "id" | "balance" | "reason"> & {
  type: PostingType;
  sourceId: string;
  amount: bigint;
  createdAt: Date;
};

const COUNT = `select count(*)::int as found from (
    select from ledger_entries where account_id = $1::uuid limit ${COUNTED + 1}
  ) entries`;

const LINES = `select e.id::text, e.type, e.kind as balance, e.amount, e.source_id as "sourceId", e.created_at as "createdAt",
    a.reason
  from (
    select * from ledger_entries where account_id = $1::uuid and ($2::bigint is null or id < $2::bigint)
    order by id desc offset $3 limit $4
  ) e
  left join adjustments a on a.account_id = $1::uuid and a.id = e.source_id
  order by e.id desc`;

const present = ({ id, type, balance, amount, reason, sourceId, createdAt }: Line): StatementLine => ({
  ...{ id, type, balance, amount: decimal(amount), reason },
  record: recordOf[type]?.(sourceId) ?? null,
  created_at: iso(createdAt),
});

const sale = (id: string) => ({ subject: "transaction" as const, id });
const refund = (id: string) => ({ subject: "refund" as const, id: codeOf({ id }) });

const dispute = (id: string) => ({ subject: "dispute" as const, id: codeOfDispute({ id }) });

/** What a line is about, where its source is a record with a page. */
const recordOf: { readonly [type in PostingType]?: (sourceId: string) => StatementLine["record"] } = {
  deposit_completed: sale,
  card_completed: sale,
  card_settled: sale,
  refund_requested: refund,
  refund_released: refund,
  refund_completed: refund,
  card_refund_completed: refund,
  dispute_won: dispute,
  dispute_lost: dispute,
  card_dispute_lost: dispute,
  chargeback_fee: dispute,
};
