import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import type { Balance, OwnBalance } from "@/lib/accounts/schema";
import { readFor, runPrepared, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Balances, balancesOf, gatherBalances, readBalances } from "@/lib/ledger/balance";
import { decimal } from "@/lib/money";

/** The account's balance in the interface's form. */
export const readBalance = async (accountId: string) => present(await readBalances(accountId));

/** The same with what withdrawals hold, for the account itself and the operator. */
export const readOwnBalance = async (accountId: string) => presentOwn(await readBalances(accountId));

/** The same at the moment of a transaction that has the account in scope. */
export const readBalanceIn = async (tx: Tx, accountId: string): Promise<OwnBalance> =>
  presentOwn(await readBalancesIn(tx, accountId));

/** All four balances at that moment, in cents. */
export async function readBalancesIn(tx: Tx, accountId: string): Promise<Balances> {
  const text = `select ${balancesColumn("$1::uuid")}`;
  const [row] = await tx.$queryRawUnsafe<{ balances: BalancesColumn }[]>(text, accountId);
  return gatherBalances(row?.balances);
}

/** SQL: the balance of an account as a column, within its tenant scope; `toBalance` reads it. `id` is SQL too. */
export const balancesColumn = (id: string) => `(${balancesOf(id)}) as balances`;
export type BalancesColumn = Partial<Balances> | null;

export const toBalance = (column: BalancesColumn) => present(gatherBalances(column));

const present = ({ available, pending, blocked }: Balances): Balance => ({
  balance: decimal(available),
  pending: decimal(pending),
  blocked: decimal(blocked),
  currency: "BRL",
});

const presentOwn = (balances: Balances): OwnBalance => ({ ...present(balances), held: decimal(balances.held) });

/** The account's registered data. */
export async function readProfile(accountId: string) {
  const account = await readFor(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const { name, email, status, document, phone, address, legalRepresentative } = account;
  return {
    name,
    email,
    status,
    document,
    phone,
    address: address as Record<string, unknown> | null,
    legalRepresentative: legalRepresentative as Record<string, unknown> | null,
  };
}

/** Where an account's payers may ask: its support's e-mail, or the registered one where it names none. */
export async function readContact(tx: Tx, accountId: string): Promise<string> {
  const select = { supportEmail: true, email: true } as const;
  const { supportEmail, email } = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select });
  return supportEmail ?? email;
}

/** The context of an account, by its id; undefined when there is no such account. */
export async function readContext(accountId: string): Promise<AccountContext | undefined> {
  const text = `select ${contextColumns} from account_in_scope($1) a`;
  const [row] = await runPrepared<ContextRow>("account_context", text, [accountId]);
  return row && toContext(row);
}

/** The same, for the operator's staff, who name an account by its id. Throws `account_not_found`. */
export async function requireContext(accountId: string): Promise<AccountContext> {
  const account = await readContext(accountId);
  if (!account) throw new AppError("account_not_found");
  return account;
}
