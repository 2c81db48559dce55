import { currentActor, noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Query, readForStaff, transactionOverAll } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { PLATFORM } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { makeCallsDue } from "@/lib/outside/calls";
import { railNamed } from "@/lib/rails/pix/rails";
import { iso } from "@/lib/time/clock";
import type { PayoutStop, PlaceOfStop, StopBody } from "@/lib/withdrawals/schema";
import type { StopScope } from "@/prisma/client/enums";

/** A place where the operator stopped payouts. */
export type Stop = { scope: StopScope; target: string; reason: string; createdAt: Date };

type Asked = { accountId: string; provider: string };

/** What stops the payouts of an account by a rail now; undefined where nothing does. What is asked for waits meanwhile. */
export async function findStop(query: Query, { accountId, provider }: Asked): Promise<Stop | undefined> {
  const [stop] = await query<Stop>("payout_stop", FIND, [provider, accountId]);
  return stop;
}

const FIND = `select scope::text as scope, target, reason, created_at as "createdAt" from payout_stops
  where (scope, target) in (('all', ''), ('rail', $1), ('account', $2)) order by scope limit 1`;

/** Every place where payouts are stopped, the newest first, for the operator's staff. */
export const listStops = (): Promise<{ data: PayoutStop[] }> =>
  readForStaff(async (tx) => {
    const rows = await tx.payoutStop.findMany({ orderBy: { createdAt: "desc" }, take: 100 });
    const people = await tx.user.findMany({ where: { id: { in: rows.map(({ stoppedBy }) => stoppedBy) } } });
    const accounts = await tx.account.findMany({
      where: { id: { in: rows.flatMap(({ scope, target }) => (scope === "account" ? [target] : [])) } },
      select: { id: true, name: true },
    });
    const names = new Map([...people, ...accounts].map(({ id, name }) => [id, name]));
    return {
      data: rows.map(({ scope, target, reason, stoppedBy, createdAt }) => ({
        ...{ scope, target, reason, account_name: names.get(target) ?? null },
        ...{ stopped_by: names.get(stoppedBy) ?? "", created_at: iso(createdAt) },
      })),
    };
  });

/**
 * Stops payouts everywhere, of a rail or of an account, for the operator's staff: what is asked for waits, and what a rail was
 * asked for goes on. A place that is stopped already keeps its first reason. Throws `account_not_found`, and
 * 422 at `target` for a rail that there is not.
 */
export async function stopPayouts({ reason, ...place }: StopBody): Promise<{ message: string }> {
  if (place.scope === "rail" && !railNamed(place.target))
    throw invalid({ target: ["Não há um provedor com este nome."] });
  const accountId = placeOf(place);
  await forAccount(accountId, async (tx) => {
    if (place.scope === "account" && !(await tx.account.findUnique({ where: { id: accountId }, select: { id: true } })))
      throw new AppError("account_not_found");
    const stoppedBy = currentActor().id ?? PLATFORM;
    const { count } = await tx.payoutStop.createMany({ data: [{ ...place, reason, stoppedBy }], skipDuplicates: true });
    noteRecorded();
    if (count === 0) return;
    const after = { ...place, reason };
    await recordChange(tx, { accountId, subject: "payout_stop", id: accountId, verb: "created", after });
  });
  log.warn({ ...place, reason, userId: currentActor().id }, "payouts were stopped by staff");
  return { message: "Saques parados. O que foi pedido espera." };
}

/** Lets payouts through again where they were stopped; what waited is sent at once. Does nothing where they were not. */
export async function liftStop({ ...place }: PlaceOfStop): Promise<{ message: string }> {
  const accountId = placeOf(place);
  await forAccount(accountId, async (tx) => {
    const { count } = await tx.payoutStop.deleteMany({ where: place });
    noteRecorded();
    if (count === 0) return;
    await recordChange(tx, { accountId, subject: "payout_stop", id: accountId, verb: "removed", before: place });
  });
  log.warn({ ...place, userId: currentActor().id }, "payouts are let through again by staff");
  const waiting = await transactionOverAll((query) =>
    query<{ id: string }>("payouts_waiting", WAITING, [place.scope, place.target]),
  );
  await makeCallsDue(waiting.map(({ id }) => id));
  return { message: "Saques liberados." };
}

/** SQL: the accounts with a withdrawal that waits to be sent, in a place. */
const WAITING = `select distinct account_id as id from withdrawals
  where status in ('requested', 'sending') and case $1 when 'rail' then provider = $2 when 'account' then account_id::text = $2 else true end`;

/** In whose history it stands: the account's, or the operator's own. */
const placeOf = ({ scope, target }: PlaceOfStop) => (scope === "account" ? target : PLATFORM);
