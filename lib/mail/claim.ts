import { IN_SCOPE, isPicked, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import type { Mode } from "@/prisma/client/enums";

/** How long a claim lasts without renewal, so that a dead worker's mails are due again within 10 s. */
const LEASE_MS = 8_000;

/** How many accounts one look serves, and how many mails of each. */
const ACCOUNTS = 100;
const OF_EACH = 2;

/** A mail that this worker has claimed. */
export type Claimed = {
  id: string;
  /** Whose turn it is: the account, or that of nobody. */
  turn: string;
  accountId: string | null;
  template: string;
  locale: string;
  mode: Mode | null;
  recipient: string;
  sealedContent: Buffer | null;
  attempts: number;
  /** It goes to the inbox although there is a server: a sandbox writes to nobody but its own confirmed people. */
  staysHere: boolean;
};

const NOBODY = "00000000-0000-0000-0000-000000000000";
/** The expressions of the index `mails_due`. */
const TURN = `(case when m.account_id is null then '${NOBODY}'::uuid else m.account_id end)`;
const DUE_AT = "greatest(m.next_attempt_at, m.claimed_until)";

/**
 * Claims up to `count` mails that are due. Accounts take turns: those that were not `served` of late come first, then the
 * one that was served longest ago; an account that is `full` waits. With the mails comes in how many milliseconds the next
 * one is due, or null when none is planned.
 */
export async function claimMails(worker: string, count: number, { served, full }: Turns) {
  const values = [worker, count, served, full];
  const rows = await runPrepared<(Claimed | { id: null }) & { nextMs: number | null }>("claim_mails", CLAIM, values);
  return { claimed: rows.filter((row) => row.id !== null), nextMs: rows[0]?.nextMs ?? null };
}

type Turns = { served: readonly string[]; full: readonly string[] };

/** Renews this worker's claims for the full time. */
export const renewClaims = (worker: string, ids: readonly string[]) => holdClaims(worker, ids, LEASE_MS);

/** Ends this worker's claims after `afterMs`, so that the mails are due again. */
export const releaseClaims = (worker: string, ids: readonly string[], afterMs = 0) => holdClaims(worker, ids, afterMs);

const holdClaims = (worker: string, ids: readonly string[], forMs: number) =>
  runPrepared("hold_mails", HOLD, [worker, ids, forMs]);

/**
 * SQL: the mail that a row of `keys` names by id, locked. It is found by its key alone, whatever the rest of the statement
 * says, as `lockedDelivery` in lib/webhooks/claim.ts.
 */
const lockedMail = (keys: string) => `(
      select * from mails where ${IN_SCOPE} and id = ${keys}.id
      offset 0 for update skip locked
    )`;

/** Walks from account to account, with one step of the index for each, and reads the first few that are due. */
const CLAIM = `with recursive ${SCOPE_OF_ALL}, account (turn, first_at) as (
    (select ${TURN}, ${DUE_AT} from mails m where ${IN_SCOPE} and m.next_attempt_at is not null
     order by ${TURN}, ${DUE_AT} limit 1)
    union all
    select n.turn, n.due_at from account a cross join lateral (
      select ${TURN} as turn, ${DUE_AT} as due_at from mails m
      where ${IN_SCOPE} and m.next_attempt_at is not null and ${TURN} > a.turn
      order by ${TURN}, ${DUE_AT} limit 1
    ) n
  ), turns as (
    select turn, array_position($3::uuid[], turn) as served from account
    where first_at <= now() and turn <> all($4::uuid[])
    order by served nulls first, first_at limit ${ACCOUNTS}
  ), chosen as (
    select t.turn, f.id, t.served, f.due_at, row_number() over (partition by t.turn order by f.due_at) as place
    from turns t cross join lateral (
      select m.id, ${DUE_AT} as due_at from mails m
      where ${IN_SCOPE} and m.next_attempt_at is not null and ${TURN} = t.turn and ${DUE_AT} <= now()
      order by ${DUE_AT} limit ${OF_EACH}
    ) f
    order by place, served nulls first, due_at limit $2
  ), free as (
    select m.id from chosen c cross join lateral ${lockedMail("c")} m
    where m.next_attempt_at is not null and ${DUE_AT} <= now()
  ), claimed as (
    update mails m set claimed_by = $1, claimed_until = now() + interval '${LEASE_MS} milliseconds'
    from free f where ${IN_SCOPE} and ${isPicked("m", "f", ["id"])}
    returning m.*, ${TURN} as turn
  )
  select c.id, c.turn, c.account_id as "accountId", c.template, c.locale, c.mode, c.recipient,
    c.sealed_content as "sealedContent", c.attempts, next.ms as "nextMs",
    c.mode = 'sandbox' and not exists (
      select from accounts a
      join memberships m on m.account_id = case when a.twin_id is null then a.id else a.twin_id end
      join users u on u.id = m.user_id
      where ${IN_SCOPE} and a.id = c.account_id and lower(u.email) = lower(c.recipient) and u.email_confirmed_at is not null
    ) as "staysHere"
  from (select (extract(epoch from min(first_at) - now()) * 1000)::float as ms from account where first_at > now()) next
  left join claimed c on true`;

const HOLD = `with ${SCOPE_OF_ALL}, held as (
    select m.id from unnest($2::uuid[]) as mine(id) cross join lateral ${lockedMail("mine")} m
    where m.claimed_by = $1
  )
  update mails m set claimed_until = now() + $3 * interval '1 millisecond'
  from held h where ${IN_SCOPE} and ${isPicked("m", "h", ["id"])}`;
