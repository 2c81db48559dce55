import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { LAPSES_AFTER_MS } from "@/lib/approvals/ask";
import { forAccount, queryOf, readFor, type Tx } from "@/lib/db";
import { type ErrorCode, invalid } from "@/lib/errors";
import { findReplay, type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { lockForDebit, reserve } from "@/lib/ledger/balance";
import { begin } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import type { PixPayouts } from "@/lib/rails/pix/payouts";
import { businessNow, realNow } from "@/lib/time/clock";
import { type Asker, idOfAsker, isAlone, readDeciders } from "@/lib/withdrawals/asker";
import { giveBackLookUp, lookUpOwner, mayBe, payoutsOf, spendLookUp } from "@/lib/withdrawals/key-owner";
import { assertEach, assertWithinLimits, readConditions } from "@/lib/withdrawals/limits";
import { isNew } from "@/lib/withdrawals/newness";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { requestOf } from "@/lib/withdrawals/postings";
import { newWithdrawal } from "@/lib/withdrawals/record";
import type { CashOutBody } from "@/lib/withdrawals/schema";

/** The kind in `calls` of the call that sends a withdrawal. */
export const WITHDRAWAL_CALL = "withdrawal";

/** The codes that asking for a withdrawal throws, for the contract of its route. */
export const withdrawalErrors = [
  "account_not_approved",
  "account_suspended",
  "account_closed",
  "withdrawal_limit_exceeded",
  "insufficient_balance",
  "rail_not_configured",
  "rail_unavailable",
] as const satisfies readonly ErrorCode[];

export type AskedWithdrawal = CashOutBody & { by: Asker };

/**
 * Asks for a withdrawal to a Pix key, and holds its amount and fee until it has ended. A rail sends it once this is written,
 * or, above the account's `approvalAbove`, once a second person has approved it: one that a program asks for always waits for one, that
 * of a person only where there is another who may. Throws `withdrawalErrors`, and 422 at `pix_key` for a key
 * that nobody has and at `document.number` for one of somebody else, and `rate_limit_exceeded` where no look-up is left.
 */
export async function requestWithdrawal(account: AccountContext, input: AskedWithdrawal, intent: Intent) {
  await findReplay(intent.idem);
  assertActive(account);
  const { provider, payouts } = await payoutsOf(account);
  assertEach(input.amount, (await readFor(account.id, (tx) => readConditions(tx, account.id))).limits);
  const ownerName = await nameOfOwner(account.id, payouts, input);
  return forAccount(account.id, (tx) =>
    once(tx, intent.idem, () => write(tx, { account, input, provider, ownerName }, intent)),
  );
}

/**
 * The name of the key's owner. Who guesses whose keys are whose spends look-ups; a partner who pays gets theirs back. Where the
 * rail tells nobody, the key stands for the name, and the rail refuses to pay a key of another document.
 */
async function nameOfOwner(
  accountId: string,
  payouts: PixPayouts,
  { document, ...input }: CashOutBody,
): Promise<string> {
  if (!payouts.lookUpKey) return input.pix_key;
  await spendLookUp(accountId);
  const asked = { type: input.pix_key_type, key: input.pix_key, document };
  const owner = await lookUpOwner(payouts, asked).catch(async (error) => {
    await giveBackLookUp(accountId);
    throw error;
  });
  if (!owner) throw invalid(NOBODY);
  if (!mayBe(owner.document, document)) throw invalid(ANOTHER);
  await giveBackLookUp(accountId);
  return owner.name;
}

const NOBODY = { pix_key: ["Esta chave Pix não existe. Confira com quem vai receber."] };
const ANOTHER = { "document.number": ["Esta chave Pix não é deste CPF ou CNPJ. Confira os dois."] };

type Asked = { account: AccountContext; input: AskedWithdrawal; provider: string; ownerName: string };

async function write(tx: Tx, { account, input, provider, ownerName }: Asked, { requestId }: Intent) {
  const { id: accountId, mode } = account;
  const { by, amount } = input;
  const mustWait = await hasOther(tx, accountId, by); // the team is locked before the money, as where a refund is approved
  await lockForDebit(tx, accountId);
  const now = businessNow(account);
  const { fee, limits } = await readConditions(tx, accountId);
  const isLowered = await isNew(tx, { accountId, pixKey: input.pix_key, by, now });
  await assertWithinLimits(tx, { account, now, amount, limits, isLowered });
  await reserve(tx, accountId, amount + fee);
  const waits = limits.approval_above !== null && amount > limits.approval_above && mustWait;
  const id = newId(now);
  const row = newWithdrawal({
    ...{ accountId, id, mode, status: waits ? "awaiting_approval" : "requested", provider, amount, fee },
    ...{ returnedAmount: 0, description: input.description, externalId: input.external_id },
    ...{ pixKeyType: input.pix_key_type, pixKey: input.pix_key, document: input.document, ownerName },
    ...{ limits, isLowered, askedBy: idOfAsker(by), createdAt: now, updatedAt: now },
    lapsesAt: waits ? new Date(realNow().getTime() + LAPSES_AFTER_MS) : null,
  }) as Parameters<typeof begin>[2]["row"];
  await begin(tx, withdrawalNoun, { row, requestId, posts: [requestOf({ accountId, id, amount, fee })] });
  if (!waits) await writeCalls(queryOf(tx), [{ accountId, id, kind: WITHDRAWAL_CALL, provider }]);
  mayCrash("withdrawal.requested");
  return { message: waits ? AWAITING : "Saque solicitado.", reference_id: id };
}

const AWAITING = "Saque solicitado. Outra pessoa da equipe precisa aprovar em até 24 horas.";

/** Nothing waits for a second person where a person asks and is the only one who may decide, for a day at least. */
const hasOther = async (tx: Tx, accountId: string, by: Asker) =>
  by.kind !== "session" || !(await isAlone(tx, accountId, await readDeciders(tx, accountId), by.userId));
