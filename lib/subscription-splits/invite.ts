import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { countStored, rowBytes } from "@/lib/accounts/storage";
import { recordChange } from "@/lib/audit/record-change";
import type { Scope } from "@/lib/auth/scopes";
import { forAccount, onCommit, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newSecret, sha256 } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { localeOf } from "@/lib/locale/of-person";
import { writeMail } from "@/lib/mail/write";
import { findPlan } from "@/lib/plans/read";
import type { InviteInput } from "@/lib/splits/schema";
import { readInvite } from "@/lib/subscription-splits/find";
import { type InviteRow, presentInvite } from "@/lib/subscription-splits/present";
import { openSplits } from "@/lib/subscription-splits/states";
import { businessNow, realNow } from "@/lib/time/clock";

/** What inviting throws, for the contracts of its routes. */
export const inviteErrors = [
  "account_not_approved",
  "account_suspended",
  "split_own_account",
  "split_already_open",
  "split_exceeds_total",
  "split_limit_reached",
] as const satisfies readonly ErrorCode[];

/**
 * Invites the owner of an e-mail, by mail, to a part of each sale of a plan. Until they accept it shares nothing; the
 * percentages of a plan's pending and accepted splits stay below 100, whoever invites at once. Throws `plan_not_found`,
 * `invalid_transition` for an archived plan, and `inviteErrors`.
 */
export const inviteToPlan = (account: AccountContext, input: InviteInput & { planId: string }, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { planId } = input;
      await lockAccount(tx, account.id);
      const { status } = await findPlan(tx, { accountId: account.id, id: planId });
      if (status === "archived") throw new AppError("invalid_transition");
      return { data: presentInvite(await invite(tx, account, planId, input)) };
    }),
  );

type Caller = { scopes: readonly Scope[] };

/** Invites to a plan that is made in the same transaction, for `createPlan`. Throws `insufficient_scope`, `inviteErrors`. */
export function invitesTo(account: AccountContext, { scopes }: Caller, inputs: readonly InviteInput[]) {
  if (inputs.length > 0 && !scopes.includes("splits:write")) throw new AppError("insufficient_scope");
  return async (tx: Tx, planId: string): Promise<void> => {
    for (const input of inputs) await invite(tx, account, planId, input);
  };
}

/** Writes an invitation and its mail. The caller has locked the account. */
async function invite(tx: Tx, account: AccountContext, planId: string, input: InviteInput) {
  const { id: accountId, mode } = account;
  assertActive(account);
  await assertMayShare(tx, accountId, planId, input);
  onCommit(tx, () => countStored(accountId, rowBytes.invite));
  const { email, name, percentage: basisPoints } = input;
  const secret = newSecret();
  const { id } = await tx.planSplit.create({
    data: {
      ...{ accountId, planId, mode, email, name, basisPoints },
      ...{ linkHash: new Uint8Array(sha256(secret)), invitedAt: realNow() },
    },
  });
  const written = await readInvite(tx, id);
  const after = presentInvite(written);
  await recordChange(tx, { accountId, subject: "plan_split", id, verb: "created", after, at: businessNow(account) });
  await writeMail(tx, {
    intent: `split_invited:${id}`,
    to: { email, locale: await localeOf(tx, email) },
    ...{ mode, accountId, content: invitationOf(written, secret) },
  });
  return written;
}

const invitationOf = (invite: InviteRow, secret: string) => ({
  template: "split_invited" as const,
  seller: invite.sellerName,
  sellerEmail: invite.sellerEmail,
  plan: invite.planName,
  amount: Number(invite.amount),
  periodicityDays: invite.periodicityDays,
  percentage: invite.basisPoints,
  url: `${env.APP_URL}/invite/${secret}`,
});

async function assertMayShare(tx: Tx, accountId: string, planId: string, { email, percentage }: InviteInput) {
  const own = await tx.account.findUniqueOrThrow({ where: { id: accountId }, select: { email: true } });
  if (own.email === email) throw new AppError("split_own_account");
  const open = await tx.planSplit.findMany({ where: { accountId, planId, status: { in: openSplits } } });
  if (open.some((split) => split.email === email)) throw new AppError("split_already_open");
  const total = open.reduce((sum, { basisPoints }) => sum + basisPoints, percentage);
  if (total >= 10_000) throw new AppError("split_exceeds_total");
  if (open.length >= limits.splits) throw new AppError("split_limit_reached");
}
