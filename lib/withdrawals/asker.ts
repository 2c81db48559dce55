import { roles } from "@/lib/auth/scopes";
import { queryOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt } from "@/lib/ids";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import type { Role } from "@/prisma/client/enums";

/** Who asks for a withdrawal or decides about one: a person of the team, or a program by its credential. */
export type Asker = { kind: "session"; userId: string; liveId: string } | { kind: "token" | "key"; clientId: string };

/** The id by which a withdrawal keeps who asked for it. */
export const idOfAsker = (by: Asker) => (by.kind === "session" ? by.userId : by.clientId);

/** Whether a role may ask for withdrawals and decide about them. */
const mayWithdraw = (role: Role) => roles[role].includes("withdrawals:write");

/** The people of an account's team who may decide about a withdrawal, whichever of the seller's two accounts it is of. */
export async function readDeciders(tx: Tx, accountId: string): Promise<{ id: string; joined: Date }[]> {
  const team = await tx.$queryRaw<{ id: string; role: Role; joined: Date }[]>`
    select user_id as id, role, created_at as joined from memberships
    where ${accountId}::uuid in (account_id, sandbox_id) order by user_id for share`;
  return team.filter(({ role }) => mayWithdraw(role));
}

/**
 * Whether this person alone may decide, and nobody who might was removed from the team or lost the right in the last day: else who
 * asks could first be rid of who decides.
 */
export async function isAlone(tx: Tx, accountId: string, deciders: readonly { id: string }[], userId: string) {
  if (deciders.some(({ id }) => id !== userId)) return false;
  const since = firstIdAt(new Date(realNow().getTime() - DAY_MS));
  const deciding = Object.keys(roles).filter((role) => mayWithdraw(role as Role));
  return (await queryOf(tx)("withdrawal_deciders_gone", GONE, [accountId, since, deciding])).length === 0;
}

const GONE = `select 1 from events where account_id = $1::uuid and id >= $2::uuid and subject = 'member'
  and case type when 'member.removed' then record->>'role' else data->'role'->>'before' end = any($3::text[])
  and coalesce(data->'role'->>'after', '') <> all($3::text[]) limit 1`;

const findCredential = (tx: Tx, accountId: string, clientId: string) =>
  tx.credential.findFirst({ where: { accountId, clientId }, select: { madeBy: true, changedAt: true } });

type Decision = { accountId: string; askedBy: string; askedAt: Date; by: Asker };

/**
 * Throws `own_request` where who decides is who asked, or made the credential that asked, and `insufficient_scope` for a person
 * who lost the right meanwhile, or joined after it was asked for: else who asks could invite who decides. A program decides as who
 * made its credential, and only where that has been as it is since before. What a program asked for may be approved by who made
 * its credential where nobody else may.
 */
export async function assertMayDecide(tx: Tx, { accountId, askedBy, askedAt, by }: Decision): Promise<void> {
  const me = idOfAsker(by);
  const deciders = await readDeciders(tx, accountId);
  const asked = (await findCredential(tx, accountId, askedBy))?.madeBy ?? askedBy;
  const credential = by.kind === "session" ? null : await findCredential(tx, accountId, me);
  const mine = credential?.madeBy ?? me;
  const mayOwn = by.kind === "session" && me !== askedBy && (await isAlone(tx, accountId, deciders, me));
  if (mine === asked && !mayOwn) throw new AppError("own_request");
  const decider = deciders.find(({ id }) => id === mine);
  const since = [decider?.joined, ...(by.kind === "session" ? [] : [credential?.changedAt])];
  if (since.some((at) => !at || at > askedAt)) throw new AppError("insufficient_scope");
}
