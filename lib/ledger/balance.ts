import { type Query, runPrepared, scopeOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";

export type Balances = Record<"available" | "pending" | "blocked" | "held", number>;

/**
 * SQL: one account's balances by kind, in cents, as JSON; null for none. It reads snapshot and tail in one statement,
 * so that an entry that is folded meanwhile is counted once. `account` is an expression of the outer query, whose
 * transaction must have that account in scope.
 */
export const balancesOf = (account: string) => `select json_object_agg(kind, amount) from (
    select kind, sum(amount) as amount from (
      select kind, amount from ledger_snapshots where account_id = ${account}
      union all select kind, amount from ledger_tail where account_id = ${account}
    ) parts group by kind
  ) sums`;

/** An account's balances in cents, in one round trip. The subquery runs after the scope is set. */
export async function readBalances(accountId: string): Promise<Balances> {
  const [row] = await runPrepared<{ balances: Partial<Balances> | null }>(
    "balances",
    `select (${balancesOf("scope.account")}) as balances
     from ${scopeOf("$1")}`,
    [accountId],
  );
  return gatherBalances(row?.balances);
}

/** Locks the account's money until the transaction ends: of two debits at once the second sees the first. Credits do not wait. */
export const lockForDebit = (tx: Tx, accountId: string) => tx.$executeRaw`select ledger_reserve(${accountId}::uuid)`;

/**
 * Locks the account for a debit that its owner asks for, and returns its exact balances. Simultaneous debits queue
 * here, credits do not. Throws `insufficient_balance` when `amount` cents are not available.
 */
export async function reserve(tx: Tx, accountId: string, amount: number): Promise<Balances> {
  await lockForDebit(tx, accountId);
  const [row] = await tx.$queryRawUnsafe<{ balances: Partial<Balances> | null }[]>(
    `select (${balancesOf("$1::uuid")}) as balances`,
    accountId,
  );
  const balances = gatherBalances(row?.balances);
  if (balances.available < amount) throw new AppError("insufficient_balance");
  return balances;
}

/** The four balances that an owner sees, 0 where there is no entry. */
export function gatherBalances(sums: Partial<Balances> | null | undefined): Balances {
  const { available = 0, pending = 0, blocked = 0, held = 0 } = sums ?? {};
  return { available, pending, blocked, held };
}

/**
 * Locks the account for a debit that is forced from outside, and returns what is available, in cents: it may be below zero. Debits
 * that its owner asks for queue here.
 */
export async function lockAvailable(query: Query, accountId: string): Promise<number> {
  await query("ledger_lock", "select ledger_reserve($1::uuid)::text", [accountId]);
  const [row] = await query<{ balances: Partial<Balances> | null }>(
    "ledger_locked",
    `select (${balancesOf("$1::uuid")}) as balances`,
    [accountId],
  );
  return gatherBalances(row?.balances).available;
}
