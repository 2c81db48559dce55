import { IN_SCOPE, runPrepared, SCOPE_OF_ALL } from "@/lib/db";
import { leasesOf } from "@/lib/due/claims";
import { type DueRows, given, isPicked, keysOf, lockedByKey, turnsOf } from "@/lib/due/find";
import type { Mode } from "@/lib/receivers/url";
import type { DueDelivery, fullOf } from "@/lib/webhooks/choose";
import type { DeliveryContract } from "@/prisma/client/enums";

/** How long a claim lasts without renewal, so that a dead worker's deliveries are due again well within 10 s. */
const LEASE_MS = 8_000;

/** How many deliveries of each mode one search finds, so that many sandboxes cannot hide a live account. */
const MAX_DUE = 256;

/** A delivery that this worker has claimed, with everything that its attempt needs. */
export type Claimed = {
  accountId: string;
  id: string;
  webhookId: number | null;
  contract: DeliveryContract;
  event: string;
  eventId: string;
  nextAttemptAt: Date;
  /** The receiver's address; null when the webhook was removed, or the sandbox was reset. */
  url: string | null;
  mode: Mode;
  /** The encrypted signing secrets in use in base64, the newest first; none where there is none to sign with. */
  sealedTokens: string[];
  /** Null when no body is stored, so that it must be rendered. */
  body: string | null;
  /** When the delivery was claimed, by the database's clock. */
  claimedAt: Date;
};

type Key = Pick<Claimed, "accountId" | "id">;

/**
 * The deliveries that are due, without those of full accounts and endpoints. Accounts that were not served just now
 * come first, and within an account the first delivery of every endpoint comes before the second of any. With them
 * comes in how many milliseconds the next one of another endpoint will be due, or null when none is planned.
 */
export async function findDue(
  { endpoints, accounts, areSandboxesFull }: ReturnType<typeof fullOf>,
  served: readonly string[] = [],
): Promise<{ due: DueDelivery[]; nextMs: number | null }> {
  const values = [endpoints, accounts, MAX_DUE, areSandboxesFull, served];
  const rows = await runPrepared<Found>("find_due_deliveries", FIND, values);
  return { due: rows.filter(isDue), nextMs: rows[0]?.nextMs ?? null };
}

/** A row of the search; without a delivery it tells only when the next one will be due. */
type Found = { nextMs: number | null } & (DueDelivery | { id: null });

const isDue = (found: Found): found is Found & DueDelivery => found.id !== null;

/**
 * Claims those of the given deliveries that are still due and need not wait for an earlier one. Several workers may
 * claim at the same time.
 */
export const claimDeliveries = (worker: string, due: readonly Key[]) =>
  runPrepared<Claimed>("claim_deliveries", CLAIM, [worker, ...keysOf(dueDeliveries.key, due)]);

/** The instant from which a planned delivery may be claimed. */
const dueAt = (row: string) => `greatest(${row}.next_attempt_at, ${row}.claimed_until)`;
const DUE_AT = dueAt("d");
/** `case`, because `coalesce` in a condition on an index is not pushed below a policy. */
const receiverOf = (row: string) => `(case when ${row}.webhook_id is null then 0 else ${row}.webhook_id end)`;
const RECEIVER = receiverOf("d");

/** The receivers of all accounts take turns, by the expressions of the index `deliveries_due`. */
export const dueDeliveries = {
  table: "deliveries",
  key: { account_id: "uuid", id: "uuid" },
  of: ["t.account_id", receiverOf("t")],
  at: dueAt("t"),
  only: "t.next_attempt_at is not null",
} satisfies DueRows;

const leases = leasesOf({
  ...{ name: "deliveries", table: "deliveries", key: dueDeliveries.key, by: "claimed_by", until: "claimed_until" },
  leaseMs: LEASE_MS,
});
/** Renews a worker's claims for the full time, and ends them so that the deliveries are due again. */
export const { renew: renewClaims, release: releaseClaims } = leases;

/** The host of a callback without a webhook, however its address is written. */
const HOST = String.raw`lower(coalesce(substring(d.url from '^[^:]*:[/\\]*([^/\\?#]*)'), ''))`;
const ENDPOINT = `coalesce(d.webhook_id::text, ${HOST})`;

/** How many callbacks of one account are read, because their hosts are not in an index. */
const CALLBACKS_READ = 1_000;
/** How many deliveries of one endpoint a search finds: as its places, and as many that wait for others about their subjects. */
export const PER_ENDPOINT = 16;

/**
 * Walks from receiver to receiver, with one step of the index `deliveries_due` for each, and reads the first few that
 * are due. So a backlog of 100,000 for one receiver costs as much as one delivery.
 */
const FIND = `with recursive ${SCOPE_OF_ALL}, ${turnsOf(dueDeliveries, ["account_id", "webhook"], { isInScope: true })}, due as (
    select r.account_id, m.mode, f.*, coalesce(w.failing, false) as failing,
      row_number() over (partition by r.account_id, r.webhook order by f.due_at) as place
    from turn r
    cross join lateral (
      select a.mode from accounts a
      where ${IN_SCOPE} and a.id = r.account_id and not ($4::boolean and a.mode = 'sandbox') limit 1
    ) m
    left join lateral (
      select w.failures_in_row > 0 as failing from webhooks w
      where ${IN_SCOPE} and w.account_id = r.account_id and w.id = r.webhook limit 1
    ) w on true
    cross join lateral (
      select * from (
        select d.id, d.event_id, d.attempts, ${ENDPOINT} as endpoint, ${DUE_AT} as due_at from deliveries d
        where ${IN_SCOPE} and d.next_attempt_at is not null
          and d.account_id = r.account_id and ${RECEIVER} = r.webhook and ${DUE_AT} <= now()
        order by ${DUE_AT} limit ${CALLBACKS_READ}
      ) planned
      where r.webhook > 0 or r.account_id || ' ' || planned.endpoint <> all($1::text[])
      limit ${PER_ENDPOINT}
    ) f
    where r.first_at <= now() and r.account_id <> all($2::uuid[])
      and r.account_id || ' ' || r.webhook <> all($1::text[])
  ), ranked as (
    select *, account_id = any($5::uuid[]) as served,
      row_number() over (partition by account_id, failing order by place, due_at) as rank
    from due
  ), first as (
    select *, row_number() over (partition by mode order by served, rank, due_at) as turn from ranked
  )
  select r.account_id as "accountId", r.id, r.endpoint, r.failing as "isFailing", r.attempts = 0 as "isFirst", r.mode,
    (select e.subject_id from events e
     where ${IN_SCOPE} and e.account_id = r.account_id and e.id = r.event_id) as "subjectId",
    next.ms as "nextMs"
  from (select (extract(epoch from min(first_at) - now()) * 1000)::float as ms from turn where first_at > now()) next
  left join first r on r.turn <= $3
  order by r.served, r.rank, r.due_at`;

/**
 * How long a first attempt waits for an earlier one. Events may be dispatched in another order than they happened,
 * because workers take turns, so all deliveries that a search finds may wait for others that it does not reach. The
 * limit ends that wait.
 */
const IN_ORDER_MS = 5_000;

/**
 * SQL: an earlier first attempt at the same receiver about the same subject has not ended yet, or an earlier event about
 * it waits to be dispatched.
 */
const HAS_EARLIER = `d.attempts = 0 and d.next_attempt_at > now() - interval '${IN_ORDER_MS} milliseconds' and exists (
      select from events e
      join events before on before.account_id = e.account_id and before.subject_id = e.subject_id and before.id < e.id
      where ${IN_SCOPE} and e.account_id = d.account_id and e.id = d.event_id and (exists (
        select from (
          select * from deliveries where account_id = before.account_id and event_id = before.id offset 0
        ) o
        where o.webhook_id is not distinct from d.webhook_id and o.attempts = 0 and o.next_attempt_at is not null
      ) or exists (
        select from outbox w where w.account_id = before.account_id and w.event_id = before.id offset 0
      ) or exists (
        select from outbox_of_consumers w
        where w.consumer = 'deliveries' and w.account_id = before.account_id and w.event_id = before.id offset 0
      ) and not exists (
        select from (
          select * from deliveries where account_id = before.account_id and event_id = before.id offset 0
        ) o
        where o.webhook_id is not distinct from d.webhook_id
      ))
    )`;

/** SQL: the delivery that a row of `keys` names by account_id and id, locked (`lockedByKey`). */
export const lockedDelivery = (keys: string) => lockedByKey("deliveries", dueDeliveries.key, keys, { isInScope: true });

const PREVIOUS_TOKENS = `array(
        select encode(p.sealed_token, 'base64') from webhook_previous_tokens p
        where ${IN_SCOPE} and p.account_id = c.account_id and p.webhook_id = w.id and p.ends_at > now() order by p.ends_at desc
      )`;

const CLAIM = `with ${SCOPE_OF_ALL}, free as (
    select d.account_id, d.id from ${given(dueDeliveries.key, 2)}
    cross join lateral ${lockedDelivery("given")} d
    where d.next_attempt_at is not null and ${DUE_AT} <= now() and not (${HAS_EARLIER})
  ), claimed as (
    update deliveries d set ${leases.sets}
    from free f where ${IN_SCOPE} and ${isPicked("d", "f")}
    returning d.*
  )
  select c.account_id as "accountId", c.id, c.webhook_id as "webhookId", c.contract, c.event, c.event_id as "eventId",
    c.next_attempt_at as "nextAttemptAt", case when a.former_twin_id is not null then null when c.webhook_id is null then c.url else w.url end as url, a.mode,
    case when w.id is null then '{}' else array_prepend(encode(w.sealed_token, 'base64'), case when w.previous_token_ends_at > now()
      then ${PREVIOUS_TOKENS} else '{}' end) end as "sealedTokens", b.body, now() as "claimedAt"
  from claimed c
  cross join lateral (select a.mode, a.former_twin_id from accounts a where ${IN_SCOPE} and a.id = c.account_id limit 1) a
  left join lateral (
    select b.body from delivery_bodies b
    where ${IN_SCOPE} and b.account_id = c.account_id and b.event_id = c.event_id and b.contract = c.contract
      and b.event = c.event limit 1
  ) b on true
  left join lateral (
    -- A callback without a webhook has no secret, so the secret of the account's oldest active webhook signs it.
    select w.id, w.url, w.sealed_token, w.previous_token_ends_at from webhooks w
    where ${IN_SCOPE} and w.account_id = c.account_id and w.deleted_at is null
      and case when c.webhook_id is null then w.disabled_at is null else w.id = c.webhook_id end
    order by w.id limit 1
  ) w on true`;
