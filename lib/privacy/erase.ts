import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Query, readFor } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { newId } from "@/lib/ids";
import { type PlaceName, parametersOf, personContext, places, type Sought, seek, TYPED } from "@/lib/privacy/places";
import type { Erasure, Person } from "@/lib/privacy/schema";
import { mayCrash } from "@/lib/process/crash-points";
import { iso, isoOrNull } from "@/lib/time/clock";
import { decrypt, encrypt } from "@/lib/vault/vault";
import type { Erasure as Row } from "@/prisma/client/client";

/**
 * Asks for the erasure of all that an account keeps of a customer and may erase (`lib/privacy/places.ts`). A loop does it in
 * batches. The audit says that it was asked for, and by whom, without saying of whom.
 */
export const requestErasure = (account: AccountContext, { person, askedBy }: { person: Person; askedBy: string }) =>
  forAccount(account.id, async (tx) => {
    const [id, accountId] = [newId(), account.id];
    const sought = await seek(tx, accountId, person);
    const sealedPerson = new Uint8Array(encrypt(JSON.stringify(sought), personContext(accountId, id)));
    const row = await tx.erasure.create({ data: { id, accountId, sealedPerson, askedBy } });
    await recordChange(tx, { accountId, subject: "customer_data", id, verb: "erased", after: { by: kindOf(person) } });
    return { data: presentErasure(row) };
  });

/** By what a person was named, which says nothing of who it is. */
export const kindOf = ({ email }: Person) => (email === null ? "document" : "email");

/** The latest erasures of an account, newest first. */
export const listErasures = (accountId: string): Promise<{ data: Erasure[] }> =>
  readFor(accountId, async (tx) => {
    const rows = await tx.erasure.findMany({ where: { accountId }, orderBy: { id: "desc" }, take: 50 });
    return { data: rows.map(presentErasure) };
  });

const presentErasure = (row: Row): Erasure => ({
  ...{ id: row.id, created_at: iso(row.createdAt), done_at: isoOrNull(row.doneAt) },
  erased: row.erased as Record<string, number>,
});

/** The erasures that are not done, by the instant of their next batch. */
export const dueErasures = {
  table: "erasures",
  key: { account_id: "uuid", id: "uuid" },
  at: "t.due_at",
  only: "t.due_at is not null",
} as const;

type Due = { accountId: string; id: string; sealedPerson: Uint8Array };

/**
 * Does a batch of the erasure that waits longest: all that a batch erases is one transaction, so that what was cut off is done
 * again. Returns whether more may be due.
 */
export const erasePeople = dueInSets<Due>({
  name: "privacy.erase",
  rows: dueErasures,
  columns: ', t.sealed_person as "sealedPerson"',
  limit: 1,
  act: async (query, due) => {
    for (const row of due) await eraseBatch(query, row);
  },
});

async function eraseBatch(query: Query, { accountId, id, sealedPerson }: Due): Promise<void> {
  const sought = JSON.parse(decrypt(sealedPerson, personContext(accountId, id)).toString()) as Sought;
  const values = parametersOf(accountId, sought);
  for (const [place, erase] of Object.entries(erasers)) {
    const erased = await erase(query, values);
    if (erased === 0) continue;
    mayCrash("erasure.batch");
    await query("erasure_go_on", GO_ON, [accountId, id, place, erased]);
    return;
  }
  await query("erasure_end", END, [...values, id]);
  mayCrash("erasure.ending");
}

const GO_ON = `update erasures set due_at = clock_timestamp(),
    erased = erased || jsonb_build_object($3::text, coalesce((erased ->> $3::text)::int, 0) + $4::int)
  where account_id = $1::uuid and id = $2::uuid`;
/**
 * A mail that is still to be sent is left to its server, and a sale that may still be paid to its payer: the erasure waits for
 * both. A subscription's open charge is left with it.
 */
const END = `with ${TYPED}
  update erasures e set due_at = case when is_waiting then now() + interval '10 minutes' end,
    sealed_person = case when is_waiting then e.sealed_person end, done_at = case when not is_waiting then now() end
  from (select exists (select from ${places.mails.records} and t.next_attempt_at is not null)
    or exists (select from ${places.sales_open.records} and t.subscription_id is null) as is_waiting) waiting
  where e.account_id = $1::uuid and e.id = $6::uuid`;

type Eraser = (query: Query, values: unknown[]) => Promise<number>;

/** How many records of a place are erased in one transaction, with all that tells of them. */
const BATCH = 100;

type Erased = { left: string; set: string; key?: string; reads?: string; returning?: string };

/**
 * SQL: erases a batch of a place's records. `left` is what of a record `t` is left to be erased, and `reads` is what is read of
 * it before.
 */
function batchOf(place: PlaceName, { left, set, key = "id", reads = "", returning = `t.${key} as id` }: Erased) {
  const { records } = places[place];
  return `with ${TYPED}, found as materialized (
      select t.${key}${reads} from ${records} and (${left}) order by t.${key} limit ${BATCH} for update of t
    )
    update ${records.split(" ")[0]} t set ${set} from found where t.account_id = $1::uuid and t.${key} = found.${key}
    returning ${returning}`;
}

const plainly =
  (text: string): Eraser =>
  async (query, values) =>
    (await query("", text, values)).length;

const CONTACT = `t.client_email is not null or t.client_phone is not null or t.client_ip is not null
  or t.user_agent is not null or t.delivery_address is not null or t.tracking is not null or t.legacy -> 'metadata' is not null`;
const NO_CONTACT = `client_email = null, client_phone = null, client_ip = null, user_agent = null, delivery_address = null, tracking = null,
  legacy = t.legacy - 'metadata'`;

const returning = "t.id, case when t.origin in ('checkout', 'payment_link') then t.request_id end as \"requestId\"";

const SALES_PAID = batchOf("sales_paid", { left: CONTACT, set: NO_CONTACT, returning });

/** The payer whom the rail reported is the evidence of a payment, and is kept as long as it. */
const SALES_UNPAID = batchOf("sales_unpaid", {
  left: `${CONTACT} or t.client_name is not null or t.client_document is not null`,
  set: `${NO_CONTACT}, client_name = null, client_document = null, payer = case when t.paid_at is null then t.payer end`,
  returning,
});

const sales =
  (text: string): Eraser =>
  async (query, values) => {
    const found = await query<{ id: string; requestId: string | null }>("", text, values);
    const [accountId, ids] = [values[0], found.map(({ id }) => id)];
    const reversals = await query<{ id: string }>("", REVERSALS, [accountId, ids]);
    await eraseTraces(query, accountId, [...ids, ...reversals.map(({ id }) => id)]);
    await query("", REQUESTS, [accountId, found.flatMap(({ requestId }) => requestId ?? [])]);
    return found.length;
  };

/** The refunds and disputes of sales. */
const REVERSALS = `select id from refunds where account_id = $1::uuid and transaction_id = any($2::uuid[])
  union all select id from disputes where account_id = $1::uuid and transaction_id = any($2::uuid[])`;

/** Only who paid on a page asked from their own address; a program asks from its server's. */
const REQUESTS = `update request_log set ip = '—' where account_id = $1::uuid and id = any($2::uuid[])`;

/** A subscription that runs, with its card, is a contract that the account fulfils, and is left until it has ended. */
const SUBSCRIPTIONS = batchOf("subscriptions_ended", {
  left: "true",
  set: `name = '—', email = '—', document = '—', phone = null, reason = null, stored_card_id = null, card_warnings = null, tracking = null`,
  reads: ", t.stored_card_id",
  returning: 't.id, found.stored_card_id as "cardId"',
});

async function eraseSubscriptions(query: Query, values: unknown[]): Promise<number> {
  const rows = await query<{ id: string; cardId: string | null }>("", SUBSCRIPTIONS, values);
  const cards = rows.flatMap(({ cardId }) => cardId ?? []);
  await eraseTraces(query, values[0], [...rows.map(({ id }) => id), ...cards]);
  await query("", CARDS, [values[0], cards]);
  return rows.length;
}

const CARDS = "delete from stored_cards where account_id = $1::uuid and id = any($2::uuid[])";

/** A document names a subscriber once, so that of one who was erased is the row's own id. */
const SUBSCRIBERS = batchOf("subscribers", {
  left: "true",
  set: "name = '—', email = '—', phone = null, document = t.id::text",
});

/** Document, address and card are what our rules compare against fraud, until these rows go by their age. */
const CARD_CHECKS = batchOf("card_checks", {
  ...{ left: "t.email <> '—'", set: "email = '—', device = '{}'", key: "transaction_id" },
});

const MAILS = batchOf("mails", {
  left: "t.next_attempt_at is null",
  set: "recipient = '—', sealed_content = null, answer = null",
});

/** What a batch erases of each place, in this order: the number of records, 0 once nothing is left. */
const erasers: Partial<Record<PlaceName, Eraser>> = {
  sales_paid: sales(SALES_PAID),
  sales_unpaid: sales(SALES_UNPAID),
  subscriptions_ended: eraseSubscriptions,
  subscribers: plainly(SUBSCRIBERS),
  card_checks: plainly(CARD_CHECKS),
  mails: plainly(MAILS),
};

/**
 * Erases what events of these records, the bodies made of them and what receivers answered say of a person. A body that is
 * still to be sent is made again of the event, without the person.
 */
async function eraseTraces(query: Query, accountId: unknown, subjects: readonly string[]): Promise<void> {
  const events = await query<{ id: string }>("", EVENTS, [accountId, subjects]);
  const ids = events.map(({ id }) => id);
  for (let from = 0; from < ids.length; from += NAMED) {
    await query("", REDACT, [accountId, ids.slice(from, from + NAMED)]);
  }
  await query("", BODIES, [accountId, ids]);
  await query("", ANSWERS, [accountId, ids]);
}

/** How many events the event of a redaction names. */
const NAMED = 500;

const REDACT = "select redact_events($1::uuid, $2::uuid[])";
const EVENTS = "select id from events where account_id = $1::uuid and subject_id = any($2::uuid[])";
const BODIES = "delete from delivery_bodies where account_id = $1::uuid and event_id = any($2::uuid[])";
const ANSWERS = `update delivery_attempts set response_body = null
  where account_id = $1::uuid and response_body is not null and delivery_id in (
    select id from deliveries where account_id = $1::uuid and event_id = any($2::uuid[]))`;
