import { statement, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import type { Kind } from "@/lib/ledger/chart";

export type Balances = Record<"available" | "pending" | "blocked" | "held", number>;

type Row = { kind: Kind; amount: string | bigint };

/**
 * An account's balances in cents, snapshot plus tail, in one round trip and one view of the database, so that an
 * entry being folded meanwhile is counted once. The lateral subquery runs after the scope is set, row by row.
 */
export async function readBalances(accountId: string): Promise<Balances> {
  const rows = await statement<Row>(
    "balances",
    `select b.kind, b.amount from (select set_config('app.accounts', $1::text, true) as account offset 0) scope
     cross join lateral (
       select kind, sum(amount)::text as amount from (
         select kind, amount from ledger_snapshots where account_id = scope.account::uuid
         union all select kind, amount from ledger_tail where account_id = scope.account::uuid
       ) parts group by kind
     ) b`,
    [accountId],
  );
  return gather(rows);
}

/**
 * Locks the account for a debit its owner asks for and returns its exact balances: two debits at once queue here,
 * credits do not. Throws `insufficient_balance` when `amount` cents are not available.
 */
export async function reserve(tx: Tx, accountId: string, amount: number): Promise<Balances> {
  await tx.$executeRaw`
    insert into ledger_snapshots (account_id, kind, amount) values (${accountId}::uuid, 'available', 0)
    on conflict do nothing`;
  await tx.$queryRaw`
    select 1 from ledger_snapshots where account_id = ${accountId}::uuid and kind = 'available' for update`;
  const rows = await tx.$queryRaw<Row[]>`
    select kind, sum(amount)::bigint as amount from (
      select kind, amount from ledger_snapshots where account_id = ${accountId}::uuid
      union all select kind, amount from ledger_tail where account_id = ${accountId}::uuid
    ) parts group by kind`;
  const balances = gather(rows);
  if (balances.available < amount) throw new AppError("insufficient_balance");
  return balances;
}

function gather(rows: Row[]): Balances {
  const balances: Balances = { available: 0, pending: 0, blocked: 0, held: 0 };
  for (const { kind, amount } of rows) if (kind in balances) balances[kind as keyof Balances] = Number(amount);
  return balances;
}
