import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Query, readFor } from "@/lib/db";
import { dueInSets } from "@/lib/due/sets";
import { newId } from "@/lib/ids";
import {
  addressesOf,
  IS_KEPT,
  OF_PERSON,
  OF_SALE,
  OF_SUBSCRIPTION,
  parametersOf,
  personContext,
} from "@/lib/privacy/places";
import type { Erasure, Person } from "@/lib/privacy/schema";
import { mayCrash } from "@/lib/process/crash-points";
import { iso, isoOrNull } from "@/lib/time/clock";
import { decrypt, encrypt } from "@/lib/vault/vault";
import type { Erasure as Row } from "@/prisma/client/client";

type Sealed = { person: Person; addresses: string[] };

/**
 * Asks for the erasure of all that an account keeps of a customer and may erase (`lib/privacy/places.ts`). A loop does it in
 * batches. The audit says that it was asked for, and by whom, without saying of whom.
 */
export const requestErasure = (account: AccountContext, { person, askedBy }: { person: Person; askedBy: string }) =>
  forAccount(account.id, async (tx) => {
    const [id, accountId] = [newId(), account.id];
    const sealed: Sealed = { person, addresses: await addressesOf(tx, accountId, person) };
    const sealedPerson = new Uint8Array(encrypt(JSON.stringify(sealed), personContext(accountId, id)));
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
  const sealed = JSON.parse(decrypt(sealedPerson, personContext(accountId, id)).toString()) as Sealed;
  const values = parametersOf(accountId, sealed.person, sealed.addresses);
  for (const [place, erase] of Object.entries(erasers)) {
    const erased = await erase(query, values);
    if (erased === 0) continue;
    mayCrash("erasure.batch");
    await query("erasure_go_on", GO_ON, [accountId, id, place, erased]);
    return;
  }
  await query("erasure_end", END, [accountId, id, sealed.addresses]);
  mayCrash("erasure.ending");
}

const GO_ON = `update erasures set due_at = clock_timestamp(),
    erased = erased || jsonb_build_object($3::text, coalesce((erased ->> $3::text)::int, 0) + $4::int)
  where account_id = $1::uuid and id = $2::uuid`;
/** A mail that is still to be sent is left to its server, and the erasure waits for it. */
const END = `update erasures e set due_at = case when is_waiting then now() + interval '10 minutes' end,
    sealed_person = case when is_waiting then e.sealed_person end, done_at = case when not is_waiting then now() end
  from (select exists (
    select from mails where account_id = $1::uuid and recipient = any($3::text[]) and next_attempt_at is not null
  ) as is_waiting) mailing
  where e.account_id = $1::uuid and e.id = $2::uuid`;

type Eraser = (query: Query, values: unknown[]) => Promise<number>;

/** What a batch erases in each place, in this order: the number of records, 0 once nothing is left. */
const erasers: Record<string, Eraser> = {
  sales: eraseSales,
  subscriptions: eraseSubscriptions,
  subscribers: async (query, values) => (await query("", SUBSCRIBERS, values.slice(0, 3))).length,
  card_checks: async (query, values) => (await query("", CARD_CHECKS, values.slice(0, 3))).length,
  mails: async (query, [accountId, , , addresses]) => (await query("", MAILS, [accountId, addresses])).length,
};

/** How many sales or subscriptions are erased in one transaction, with all that tells of them. */
const BATCH = 100;

const CONTACT = `t.client_email is not null or t.client_phone is not null or t.client_ip is not null
  or t.user_agent is not null or t.delivery_address is not null or t.legacy -> 'metadata' is not null`;

/** The payer whom the rail reported is the evidence of a payment, and is kept as long as it. */
const SALES = `with found as materialized (
    select t.id, ${IS_KEPT} as is_kept from transactions t
    where ${OF_SALE} and (${CONTACT} or (not ${IS_KEPT} and (t.client_name is not null or t.client_document is not null)))
    order by t.id limit ${BATCH} for update
  )
  update transactions t set client_email = null, client_phone = null, client_ip = null, user_agent = null,
    delivery_address = null, legacy = t.legacy - 'metadata',
    client_name = case when found.is_kept then t.client_name end,
    client_document = case when found.is_kept then t.client_document end,
    payer = case when t.paid_at is null or found.is_kept then t.payer end
  from found where t.account_id = $1::uuid and t.id = found.id
  returning t.id, case when t.origin in ('checkout', 'payment_link') then t.request_id end as "requestId"`;

async function eraseSales(query: Query, values: unknown[]): Promise<number> {
  const sales = await query<{ id: string; requestId: string | null }>("", SALES, values.slice(0, 3));
  const [accountId, ids] = [values[0], sales.map(({ id }) => id)];
  const refunds = await query<{ id: string }>("", REFUNDS, [accountId, ids]);
  await eraseTraces(query, accountId, [...ids, ...refunds.map(({ id }) => id)]);
  const requests = sales.flatMap(({ requestId }) => requestId ?? []);
  await query("", REQUESTS, [accountId, requests]);
  return sales.length;
}

const REFUNDS = "select id from refunds where account_id = $1::uuid and transaction_id = any($2::uuid[])";

/** Only who paid on a page asked from their own address; a program asks from its server's. */
const REQUESTS = `update request_log set ip = '—' where account_id = $1::uuid and id = any($2::uuid[])`;

/** A subscription that runs, with its card, is a contract that the account fulfils, and is left until it has ended. */
const SUBSCRIPTIONS = `with found as materialized (
    select t.id, t.stored_card_id from subscriptions t
    where ${OF_SUBSCRIPTION} and t.status = 'cancelled' and t.document <> '—'
    order by t.id limit ${BATCH} for update
  )
  update subscriptions t set name = '—', email = '—', document = '—', phone = null, reason = null, stored_card_id = null,
    card_warnings = null
  from found where t.account_id = $1::uuid and t.id = found.id
  returning t.id, found.stored_card_id as "cardId"`;

async function eraseSubscriptions(query: Query, values: unknown[]): Promise<number> {
  const rows = await query<{ id: string; cardId: string | null }>("", SUBSCRIPTIONS, values.slice(0, 3));
  const cards = rows.flatMap(({ cardId }) => cardId ?? []);
  await eraseTraces(query, values[0], [...rows.map(({ id }) => id), ...cards]);
  await query("", CARDS, [values[0], cards]);
  return rows.length;
}

const CARDS = "delete from stored_cards where account_id = $1::uuid and id = any($2::uuid[])";

/** A document names a subscriber once, so that of one who was erased is the row's own id. */
const SUBSCRIBERS = `update subscribers t set name = '—', email = '—', phone = null, document = t.id::text
  where ${OF_PERSON} and not exists (
    select from subscriptions s where s.account_id = t.account_id and s.subscriber_id = t.id and s.document <> '—')
  returning t.id`;

/** Document, address and card are what our rules compare against fraud, until these rows go by their age. */
const CARD_CHECKS = `update card_charges t set email = '—', device = '{}'
  where ${OF_PERSON} and t.email <> '—' returning t.transaction_id`;

const MAILS = `update mails t set recipient = '—', sealed_content = null, answer = null
  where t.account_id = $1::uuid and t.recipient = any($2::text[]) and t.next_attempt_at is null returning t.id`;

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
