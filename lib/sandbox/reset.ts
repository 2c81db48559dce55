import { changeAccount } from "@/lib/accounts/change";
import type { AccountContext } from "@/lib/accounts/context";
import { accountTransitions } from "@/lib/accounts/states";
import { noteRecorded } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, prisma, readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { findReplay, type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { mayCrash } from "@/lib/process/crash-points";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import type { Reset } from "@/lib/sandbox/schema";
import { leadsTo } from "@/lib/states";
import { lockTeam } from "@/lib/team/lock";
import { realNow } from "@/lib/time/clock";
import { removeTracking } from "@/lib/tracking/save";
import { removeAll } from "@/lib/webhooks/remove";
import type { Account } from "@/prisma/client/client";

/**
 * Begins a sandbox anew. Its books are never rewritten, so a new account takes its place in one transaction: with the same
 * settings and terms, credentials and their tokens, public key and domains, and with the clock at the present. The former
 * one is closed for good, and nobody can reach it. Of two resets at once the second answers what the first did. An
 * Idempotency-Key is kept with the new account, because its caller comes back as that. Throws `clock_advance_running`, and
 * `rate_limit_exceeded` after too many in a day.
 */
export async function resetSandbox({ id: formerId }: AccountContext, { idem }: Intent): Promise<Reset> {
  await findReplay(idem);
  const liveId = await liveIdOf(formerId);
  await spendSlot("sandbox-reset", liveId);
  const id = newId();
  const answer = await forAccount([formerId, id], async (tx) => {
    const { was } = await changeAccount(tx, formerId, closed);
    if (was.twinId === null) return null;
    const running = await tx.clockAdvance.findFirst({ where: { accountId: formerId, doneAt: null } });
    if (running) throw new AppError("clock_advance_running");
    return once(tx, idem && { ...idem, accountId: id }, () => replace(tx, was, id));
  });
  if (answer) return answer;
  const present = await prisma().membership.findFirstOrThrow({ where: { accountId: liveId } });
  await findReplay(idem && { ...idem, accountId: present.sandboxId });
  noteRecorded();
  return answerOf(present.sandboxId);
}

/** The live account of the sandbox, also of one that was reset meanwhile. */
const liveIdOf = (id: string) =>
  readFor(id, async (tx) => {
    const { twinId, formerTwinId } = await tx.account.findUniqueOrThrow({ where: { id } });
    return twinId ?? formerTwinId ?? id;
  });

/** The former sandbox. Its clock ends, so that no loop looks for what is due on it. */
const closed = ({ twinId, formerTwinId }: Account) => ({
  ...leadsTo(accountTransitions.close),
  ...{ twinId: null, formerTwinId: twinId ?? formerTwinId, clockOffsetMs: 0, imageId: null },
});

async function replace(tx: Tx, was: Account, id: string): Promise<Reset> {
  const { id: formerId, twinId } = was;
  // Whoever joins the team, and whatever token is minted just now, does so before or after.
  await lockTeam(tx, twinId ?? "");
  await tx.$queryRaw`select 1 from credentials where account_id = ${formerId}::uuid order by client_id for update`;
  await tx.$executeRawUnsafe(INSERT, formerId, JSON.stringify(begunOf(was, id)));
  for (const move of MOVES) await tx.$executeRawUnsafe(move, formerId, id);
  await removeAll(tx, formerId);
  await removeTracking(tx, formerId);
  const [before, after] = [{ account_id: formerId }, { account_id: id }];
  for (const accountId of [formerId, id]) {
    await recordChange(tx, { accountId, subject: "sandbox", id, verb: "reset", before, after });
  }
  mayCrash("sandbox.resetting");
  log.info({ accountId: id, formerId, liveId: twinId }, "a sandbox was reset");
  return answerOf(id);
}

const answerOf = (id: string): Reset => ({ message: "Ambiente de testes recomeçado.", account_id: id });

/** What of the new account is not as the former one has it. Names are those of the columns. */
const begunOf = ({ twinId, status, imageId }: Account, id: string) => ({
  ...{ id, twin_id: twinId, former_twin_id: null, status, image_id: imageId },
  ...{ clock_offset_ms: 0, created_at: realNow() },
});

const INSERT = `insert into accounts select (jsonb_populate_record(a, $2::jsonb)).* from accounts a where a.id = $1::uuid`;

/**
 * SQL: what goes on with the account in parameter 2: who may reach it, what is set up of it by others, and what it has stored
 * in thirty days, which the former one's rows still take.
 */
const MOVES = [
  "update memberships set sandbox_id = $2::uuid where sandbox_id = $1::uuid",
  `update sessions s set account_id = $2::uuid from memberships m
    where m.sandbox_id = $2::uuid and s.user_id = m.user_id and s.account_id = $1::uuid`,
  "update credentials set account_id = $2::uuid where account_id = $1::uuid",
  `update access_tokens t set account_id = $2::uuid from credentials c
    where c.account_id = $2::uuid and t.client_id = c.client_id and t.account_id = $1::uuid`,
  "update public_keys set account_id = $2::uuid where account_id = $1::uuid",
  "update card_domains set account_id = $2::uuid where account_id = $1::uuid",
  "update account_images set account_id = $2::uuid where account_id = $1::uuid",
  "update account_storage set account_id = $2::uuid where account_id = $1::uuid",
  "update payout_stops set target = $2::text where scope = 'account' and target = $1::text",
  "select move_recipient($1::uuid, $2::uuid)::text",
];
