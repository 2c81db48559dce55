import type { Actor } from "@/lib/actor";
import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import { isId } from "@/lib/ids";
import type { MailContent } from "@/lib/mail/templates";
import { writeMails } from "@/lib/mail/write";
import { mailTo, readNotified } from "@/lib/notifications/addressees";
import { iso } from "@/lib/time/clock";
import { type Limits, withdrawalOf } from "@/lib/withdrawals/record";
import type { Withdrawal } from "@/prisma/client/client";
import type { WithdrawalStatus } from "@/prisma/client/enums";

/** What happened to a withdrawal, as it was then. */
type Reported = { withdrawal: Withdrawal; isNew: boolean; actor: Actor | null; at: Date };

/** The ends that nobody of the team chose, and of which they would not know otherwise. */
const unforeseen: readonly WithdrawalStatus[] = ["failed", "lapsed", "returned"];

/**
 * A consumer of events. Who of the team is mailed about withdrawals (the owners, until they choose otherwise) reads of each that
 * was asked for, by whom and where to, so that one that nobody meant is noticed at once; and of each that failed, lapsed or came
 * back. Of one that is unusual every owner reads, whatever was chosen.
 */
export async function mailWithdrawals(query: Query, events: readonly Happened[]): Promise<undefined> {
  const reported = events.flatMap(reportedIn);
  if (reported.length === 0) return;
  const accountIds = [...new Set(reported.map(({ withdrawal }) => withdrawal.accountId))].sort();
  const names = await readNames(query, accountIds, reported);
  // In the order of the accounts: another transaction that writes of the same waits for this one, and never in a ring.
  const addressees = await readNotified(query, "withdrawals", accountIds, { andOwners: true });
  await writeMails(
    query,
    addressees.flatMap((addressee) =>
      reported
        .filter(({ withdrawal }) => withdrawal.accountId === addressee.accountId)
        .map((one) => mailOf(one, names))
        .filter(({ isAlarm }) => addressee.wants || isAlarm)
        .map((mail) => mailTo(addressee, mail)),
    ),
  );
}

function reportedIn({ subject, data, record, actor, occurredAt: at }: Happened): Reported[] {
  if (subject !== "withdrawal") return [];
  const { status, previous_status } = data as { status: WithdrawalStatus; previous_status: string | null };
  const isNew = previous_status === null;
  if (!isNew && !unforeseen.includes(status)) return [];
  return [{ withdrawal: withdrawalOf(record as Row).withdrawal, isNew, actor: actor as Actor | null, at }];
}

function mailOf({ withdrawal, isNew, actor, at }: Reported, names: ReadonlyMap<string, string>) {
  const { accountId, id, status, ownerName: owner, failureReason: reason } = withdrawal;
  const about = {
    ...{ seller: names.get(accountId) ?? "", amount: Number(withdrawal.amount), owner, at: iso(at) },
    url: `${env.APP_URL}/${accountId}/withdrawals/${id}`,
  };
  const asked: MailContent = {
    ...{ template: "withdrawal_asked", ...about, fee: Number(withdrawal.fee), waits: status === "awaiting_approval" },
    ...{ by: actor?.kind === "credential" ? "credential" : "person", who: names.get(actor?.id ?? "") ?? null },
  };
  const outcome = status as "failed" | "lapsed" | "returned";
  const ended: MailContent = { template: "withdrawal_ended", ...about, outcome, reason };
  const content = isNew ? asked : ended;
  const isAlarm = isNew && isUnusual(withdrawal);
  return { intent: `${content.template}:${id}:${isNew ? "" : status}`, occurredAt: at, content, isAlarm };
}

/** Whether one is what somebody would ask for who took an account over: it waits, something is new, or it is large. */
const isUnusual = ({ status, isLowered, amount, limits }: Withdrawal) =>
  status === "awaiting_approval" || isLowered || Number(amount) > (limits as Limits).new_key;

/** The names of these accounts, and of the people and credentials that asked. */
async function readNames(query: Query, accountIds: readonly string[], reported: readonly Reported[]) {
  const askers = reported.flatMap(({ actor }) => (actor?.id && isId(actor.id) ? actor.id : []));
  const rows = await query<{ id: string; name: string }>("withdrawals_names", NAMES, [accountIds, askers]);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const NAMES = `select id::text as id, name from accounts where id = any($1::uuid[])
  union all select id::text, name from users where id = any($2::uuid[])
  union all select client_id::text, name from credentials where account_id = any($1::uuid[]) and client_id = any($2::uuid[])`;
