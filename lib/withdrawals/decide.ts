import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { forAccount, queryOf, type Tx } from "@/lib/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { lockForDebit } from "@/lib/ledger/balance";
import { type Given, move } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import { businessNow } from "@/lib/time/clock";
import { type Asker, assertMayDecide, idOfAsker } from "@/lib/withdrawals/asker";
import { assertWithinLimits, readConditions } from "@/lib/withdrawals/limits";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { releaseOf } from "@/lib/withdrawals/postings";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import type { WithdrawalRecord } from "@/lib/withdrawals/record";
import { WITHDRAWAL_CALL } from "@/lib/withdrawals/request";
import type { WithdrawalAnswer } from "@/lib/withdrawals/schema";

/** The codes that deciding about a withdrawal throws, for the contracts of its routes. */
export const decisionErrors = [
  "withdrawal_not_found",
  "own_request",
  "invalid_transition",
] as const satisfies readonly ErrorCode[];

/** The codes that approving one throws. */
export const approvalErrors = [
  ...decisionErrors,
  "account_not_approved",
  "account_suspended",
  "account_closed",
  "withdrawal_limit_exceeded",
] as const satisfies readonly ErrorCode[];

type Decision = { id: string; by: Asker };

/**
 * Approves a withdrawal that waits for a second person: its rail sends it once this is written. Throws `approvalErrors`, of which
 * `invalid_transition` for one that was decided or has lapsed and `withdrawal_limit_exceeded` by the limits as they are now, and
 * `insufficient_scope`.
 */
export const approveWithdrawal = (account: AccountContext, { id, by }: Decision, intent: Intent) =>
  decide(account, { id, name: "approve" }, intent, async (tx, found) => {
    const { accountId, provider, isLowered } = found.withdrawal;
    assertActive(account);
    await assertOther(tx, found, by);
    await lockForDebit(tx, accountId);
    const { limits } = await readConditions(tx, accountId);
    const amount = Number(found.withdrawal.amount);
    await assertWithinLimits(tx, { account, now: businessNow(account), amount, limits, isLowered, except: id });
    await writeCalls(queryOf(tx), [{ accountId, id, kind: WITHDRAWAL_CALL, provider }]);
    mayCrash("withdrawal.approved");
    return { facts: { approved_by: idOfAsker(by) } };
  });

/**
 * Refuses a withdrawal that waits for a second person, and gives back what it holds. Throws `decisionErrors` and
 * `insufficient_scope`.
 */
export const rejectWithdrawal = (account: AccountContext, { id, by }: Decision, intent: Intent) =>
  decide(account, { id, name: "reject" }, intent, async (tx, found) => {
    await assertOther(tx, found, by);
    return { posts: [releaseOf(found.withdrawal)] };
  });

/**
 * Cancels a withdrawal that is not on its way yet, and gives back what it holds. Whoever may ask for one may cancel it. Throws
 * `withdrawal_not_found` and `invalid_transition`.
 */
export const cancelWithdrawal = (account: AccountContext, { id }: { id: string }, intent: Intent) =>
  decide(account, { id, name: "cancel" }, intent, async (_tx, { withdrawal }) => ({ posts: [releaseOf(withdrawal)] }));

const assertOther = (tx: Tx, { withdrawal: { accountId, askedBy, createdAt: askedAt } }: WithdrawalRecord, by: Asker) =>
  assertMayDecide(tx, { accountId, askedBy, askedAt, by });

type Change = Pick<Given, "posts" | "facts">;

/** Of two decisions at once the first one holds. */
const decide = (
  { id: accountId }: AccountContext,
  { id, name }: { id: string; name: "approve" | "reject" | "cancel" },
  { idem, requestId }: Intent,
  changeOf: (tx: Tx, found: WithdrawalRecord) => Promise<Change>,
): Promise<WithdrawalAnswer> =>
  forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      const change = await changeOf(tx, await findWithdrawal(query, accountId, id));
      const [moved] = await move(tx, withdrawalNoun, name, [{ accountId, id, requestId, ...change }]);
      if (!moved) throw new AppError("invalid_transition");
      return { data: presentWithdrawal(await findWithdrawal(query, accountId, id)) };
    }),
  );
