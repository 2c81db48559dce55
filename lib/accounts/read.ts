import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { forAccount, statement } from "@/lib/db";
import { type Balances, readBalances } from "@/lib/ledger/balance";
import { decimal } from "@/lib/money";

/** The account's balance as the interface tells it. */
export const readBalance = async (accountId: string) => presentBalance(await readBalances(accountId));

export const presentBalance = ({ available, pending, blocked }: Balances) => ({
  balance: decimal(available),
  pending: decimal(pending),
  blocked: decimal(blocked),
  currency: "BRL" as const,
});

/** The account's registered data. */
export async function readProfile(accountId: string) {
  const account = await forAccount(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: accountId } }));
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

/** What requests know of an account, by its id; undefined when there is none. */
export async function readContext(accountId: string): Promise<AccountContext | undefined> {
  const text = `select ${contextColumns} from account_in_scope($1) a`;
  const [row] = await statement<ContextRow>("account_context", text, [accountId]);
  return row && toContext(row);
}
