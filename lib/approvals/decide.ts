import type { AccountContext } from "@/lib/accounts/context";
import { mayDecide } from "@/lib/approvals/ask";
import type { TeamKind } from "@/lib/approvals/schema";
import { approvalTransitions } from "@/lib/approvals/states";
import { recordChange } from "@/lib/audit/record-change";
import { grantScopes } from "@/lib/credentials/grant";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { type AskedRefund, accountsOfRefund, beginRefund } from "@/lib/refunds/request";
import { leadsTo, startsFrom } from "@/lib/states";
import { removeOwner } from "@/lib/team/remove-owner";
import { realNow } from "@/lib/time/clock";
import type { Approval } from "@/prisma/client/client";
import type { Role } from "@/prisma/client/enums";

/** What an approved request of a kind does, in the transaction of the decision, and the other accounts that it needs. */
type Kind<Asked> = {
  accounts?: (accountId: string, asked: Asked) => Promise<string[]>;
  apply: (tx: Tx, account: AccountContext, asked: Asked, intent: Intent) => Promise<unknown>;
};

const kinds: Record<TeamKind, Kind<never>> = {
  refund: { accounts: accountsOfRefund, apply: beginRefund } satisfies Kind<AskedRefund>,
  credential_scopes: {
    apply: (tx, { id }, asked) => grantScopes(tx, id, asked),
  } satisfies Kind<Parameters<typeof grantScopes>[2]>,
  owner_removal: {
    apply: (tx, { id }, asked) => removeOwner(tx, id, asked),
  } satisfies Kind<Parameters<typeof removeOwner>[2]>,
};

type Decision = { id: string; by: { userId: string; role: Role } };

/**
 * Approves what another person asked for, which happens in the same transaction. Throws `approval_not_found`,
 * `insufficient_scope`, `own_request`, `invalid_transition` for what was decided or has lapsed, and what the request itself
 * throws, after which it still waits.
 */
export async function approve(account: AccountContext, input: Decision, intent: Intent) {
  const { kind, asked, askedBy, createdAt } = await find(account.id, input);
  const { accounts, apply } = kinds[kind];
  const others = (await accounts?.(account.id, asked as never)) ?? [];
  return forAccount([account.id, ...others], (tx) =>
    once(tx, intent.idem, async () => {
      await assertMay(tx, account.id, kind, { askedBy, by: input.by.userId, askedAt: createdAt });
      await end(tx, account.id, input, "approve");
      await apply(tx, account, asked as never, { ...intent, idem: undefined });
      return { message: "Pedido aprovado." };
    }),
  );
}

/** Rejects what another person asked for, which then does not happen. Throws as `approve` does. */
export async function reject(account: AccountContext, input: Decision, { idem }: Intent) {
  await find(account.id, input);
  return forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      await end(tx, account.id, input, "reject");
      return { message: "Pedido recusado." };
    }),
  );
}

const find = (accountId: string, { id, by: { userId, role } }: Decision): Promise<Approval & { kind: TeamKind }> =>
  forAccount(accountId, async (tx) => {
    const approval = await tx.approval.findUnique({ where: { accountId_id: { accountId, id } } });
    if (!approval || approval.kind === "second_factor_reset") throw new AppError("approval_not_found");
    const { kind } = approval;
    if (!mayDecide(kind, role)) throw new AppError("insufficient_scope");
    if (approval.askedBy === userId) throw new AppError("own_request");
    return { ...approval, kind };
  });

type Asked = { askedBy: string; askedAt: Date; by: string };

/**
 * Throws `insufficient_scope` where who asked or who decides was removed, or lost the rights, since then, or where who decides
 * joined after it was asked for: else who asks could invite who decides. The team is locked until the transaction ends.
 */
async function assertMay(tx: Tx, accountId: string, kind: TeamKind, { askedBy, askedAt, by }: Asked) {
  const team = await tx.$queryRaw<{ id: string; role: Role; joined: Date }[]>`
    select user_id as id, role, created_at as joined from memberships
    where ${accountId}::uuid in (account_id, sandbox_id) order by user_id for update`;
  const may = (userId: string) => team.some(({ id, role }) => id === userId && mayDecide(kind, role));
  const joined = team.find(({ id }) => id === by)?.joined;
  if (!may(askedBy) || !may(by) || !joined || joined > askedAt) throw new AppError("insufficient_scope");
}

/** Of two decisions at once the first one holds. */
async function end(tx: Tx, accountId: string, { id, by: { userId } }: Decision, name: "approve" | "reject") {
  const transition = approvalTransitions[name];
  const now = realNow();
  const [ended] = await tx.approval.updateManyAndReturn({
    where: { accountId, id, lapsesAt: { gt: now }, ...startsFrom(transition) },
    data: { ...leadsTo(transition), decidedBy: userId, decidedAt: now },
  });
  if (!ended) throw new AppError("invalid_transition");
  const after = { kind: ended.kind, ...(ended.asked as object) };
  await recordChange(tx, { accountId, subject: "approval", id, verb: transition.to, after });
}
