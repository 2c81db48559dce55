import type { AccountContext } from "@/lib/accounts/context";
import { roles } from "@/lib/auth/scopes";
import { queryOf, readFor, type Tx } from "@/lib/db";
import { namesIn } from "@/lib/timeline/names";
import { isAlone } from "@/lib/withdrawals/asker";
import { presentWithdrawal } from "@/lib/withdrawals/present";
import { findWithdrawal } from "@/lib/withdrawals/read";
import type { WithdrawalDetail } from "@/lib/withdrawals/schema";
import { findStop } from "@/lib/withdrawals/stops";
import type { Withdrawal } from "@/prisma/client/client";

/**
 * All that the dashboard shows a person of a withdrawal beside its timeline. Throws `withdrawal_not_found`, also for another
 * account's.
 */
export const readWithdrawalDetail = (
  { id: accountId }: AccountContext,
  id: string,
  userId: string,
): Promise<WithdrawalDetail> =>
  readFor(accountId, async (tx) => {
    const query = queryOf(tx);
    const record = await findWithdrawal(query, accountId, id);
    const { askedBy, approvedBy, provider } = record.withdrawal;
    const names = await namesIn(tx, accountId);
    const payer = { name: true, document: true } as const;
    return {
      ...presentWithdrawal(record),
      asked_by: { name: names.get(askedBy) ?? null, is_mine: (await personBehind(tx, record.withdrawal)) === userId },
      approved_by: (approvedBy && names.get(approvedBy)) ?? null,
      may_decide: await mayDecide(tx, record.withdrawal, userId),
      is_stopped: (await findStop(query, { accountId, provider })) !== undefined,
      payer: await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: payer }),
    };
  });

/** The person who asked, also by a credential that they made. */
async function personBehind(tx: Tx, { accountId, askedBy }: Withdrawal): Promise<string> {
  const credential = await tx.credential.findFirst({ where: { accountId, clientId: askedBy } });
  return credential?.madeBy ?? askedBy;
}

/** Whether the verb would let this person decide (`assertMayDecide` in lib/withdrawals/asker.ts). */
async function mayDecide(tx: Tx, withdrawal: Withdrawal, userId: string): Promise<boolean> {
  const { accountId, status, askedBy, createdAt } = withdrawal;
  if (status !== "awaiting_approval") return false;
  const team = await tx.membership.findMany({ where: { OR: [{ accountId }, { sandboxId: accountId }] } });
  const deciders = team.filter(({ role }) => roles[role].includes("withdrawals:write"));
  const me = deciders.find((one) => one.userId === userId);
  if (!me || me.createdAt > createdAt) return false;
  if ((await personBehind(tx, withdrawal)) !== userId) return true;
  const people = deciders.map((one) => ({ id: one.userId }));
  return askedBy !== userId && (await isAlone(tx, accountId, people, userId));
}
