import type { Tx } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";
import type { Template } from "@/lib/mail/templates";
import type { Effect, Person } from "@/lib/privacy/schema";

/**
 * For how many years after its payment a sale keeps who paid it. An account may not erase what a law makes it keep (Lei
 * 13.709/2018, art. 16, I): Lei 9.613/1998, art. 10, § 2 asks for five years at least, and Circular BCB 3.978/2020, art. 67
 * for ten, of who is bound by it. This program keeps the longer time; whether an account is bound is for its lawyers to say.
 */
export const KEPT_YEARS = 10;

/** What the encrypted person of an erasure is bound to. */
export const personContext = (accountId: string, id: string) => `erasure:${accountId}:${id}`;

/**
 * Whose records are sought: the person as they were asked for; their document, which is the only one that stands beside the
 * e-mail, or null where none or several do; and the addresses to which they were mailed.
 */
export type Sought = Person & { owner: string | null; addresses: string[] };

/** SQL: the parameters of every statement about a person, and their types, because no statement has all of them. */
export const parametersOf = (accountId: string, { document, email, addresses, owner }: Sought) => [
  ...[accountId, document, email, addresses, owner],
];
export const TYPED = "typed as (select $1::uuid, $2::text, $3::text, $4::text[], $5::text)";

/**
 * SQL: whether the sale, the subscription, or the subscriber or card check `t` is the person's. What only an e-mail finds is
 * not theirs where another document stands beside it, because families and companies share addresses.
 */
export const OF_SALE = `t.account_id = $1::uuid and (t.client_document = $2
  or t.client_email = $3 and (t.client_document is null or t.client_document = $5))`;
export const OF_SUBSCRIPTION = `t.account_id = $1::uuid and t.document <> '—' and (t.subscriber_id = any(array(
    select s.id from subscribers s where s.account_id = $1::uuid and s.document = $2))
  or t.email = $3 and t.document = $5)`;
export const OF_PERSON = "t.account_id = $1::uuid and (t.document = $2 or t.email = $3 and t.document = $5)";

/** SQL: whether the withdrawal `t` went to the person, or to their key. */
export const OF_WITHDRAWAL = "t.account_id = $1::uuid and (t.document = $2 or t.pix_key = $3 and t.document = $5)";

/** SQL: whether the law makes the account keep who paid the sale `t`, and whether it may still be paid. */
const IS_KEPT = `(t.paid_at is not null and t.paid_at > now() - interval '${KEPT_YEARS} years')`;
const IS_OPEN = "t.status = 'pending'";

/** SQL: whether a subscription of the subscriber `t` has not ended. */
const SUBSCRIBES = `exists (
  select from subscriptions s where s.account_id = t.account_id and s.subscriber_id = t.id and s.status <> 'cancelled')`;

/** The mails to who pays. All others are to people who sign in, whom an erasure does not touch. */
const toPayers: readonly Template[] = [
  ...(["charge_due", "charge_overdue", "charge_paid", "card_failed", "card_expiring"] as const),
  ...(["subscription_ending", "subscription_cancelled", "subscription_suspended"] as const),
  ...(["link_paid", "payer_refunded"] as const),
];
const IS_TO_PAYER = `t.template in (${toPayers.map((template) => `'${template}'`).join(", ")})`;

/** SQL: whether the money `t` that belonged to no sale came from the person, as far as the rail told who paid. */
export const OF_MONEY = "t.account_id = $1::uuid and t.payer ->> 'document' = coalesce($2, $5)";

/** SQL: the documents that the record has of which the mail `t` is; its intent names it (`lib/billing/mails.ts`, `mail-*.ts`). */
const DOCUMENTS_OF_MAIL = `select s.client_document as document from transactions s
    where s.account_id = $1::uuid and s.id = about.id
  union all select s.client_document from refunds r
    join transactions s on s.account_id = r.account_id and s.id = r.transaction_id
    where r.account_id = $1::uuid and r.id = about.id
  union all select s.document from subscriptions s where s.account_id = $1::uuid and s.id = about.id
  union all select s.document from cycles c
    join subscriptions s on s.account_id = c.account_id and s.id = c.subscription_id
    where c.account_id = $1::uuid and c.id = about.id`;

/** SQL: whether the mail `t` went to the person, and is not of another document. */
export const OF_MAIL = `t.account_id = $1::uuid and t.recipient = any($4)
  and ${IS_TO_PAYER} and not exists (
    select from (select case when ${IS_TO_PAYER} then split_part(t.intent, ':', 2)::uuid end as id) about
    cross join lateral (${DOCUMENTS_OF_MAIL}) named
    where named.document <> '—' and named.document is distinct from $5)`;

/** SQL: the records of a table that the e-mail finds, and that have another document. */
const ofOther = (table: string, prefix = "") => `select t.account_id from ${table} t
  where t.account_id = $1::uuid and t.${prefix}email = $3 and t.${prefix}document is distinct from $5
    and t.${prefix}document is not null`;

type Place = Omit<Effect, "place" | "found" | "years"> & {
  /** SQL: the records that name the person, `t`, beginning with their table. */
  records: string;
};

const contact = ["email", "phone", "address", "device"];
const everything = ["name", "document", ...contact];

/**
 * Every place where an account keeps something of a customer, what an erasure does there, and what stays and why. What is
 * counted beforehand and what is erased (`lib/privacy/erase.ts`) are these records.
 */
export const places = {
  sales_paid: {
    records: `transactions t where ${OF_SALE} and not ${IS_OPEN} and ${IS_KEPT}`,
    ...{ erases: contact, keeps: ["amounts", "name", "document", "payer"], why: "law" },
  },
  sales_unpaid: {
    records: `transactions t where ${OF_SALE} and not ${IS_OPEN} and not ${IS_KEPT}`,
    ...{ erases: everything, keeps: ["amounts"], why: "nothing" },
  },
  sales_open: {
    records: `transactions t where ${OF_SALE} and ${IS_OPEN}`,
    ...{ erases: [], keeps: ["amounts", ...everything], why: "open" },
  },
  refunds: {
    records: `refunds r join transactions t on t.account_id = r.account_id and t.id = r.transaction_id where ${OF_SALE}`,
    ...{ erases: [], keeps: ["amounts", "reason"], why: "law" },
  },
  unmatched: {
    records: `unmatched_receipts t where ${OF_MONEY}`,
    ...{ erases: [], keeps: ["amounts", "name", "document"], why: "law" },
  },
  disputes: {
    records: `disputes d join transactions t on t.account_id = d.account_id and t.id = d.transaction_id where ${OF_SALE}`,
    ...{ erases: [], keeps: ["amounts", "reason", "defence", "files"], why: "law" },
  },
  withdrawals: {
    records: `withdrawals t where ${OF_WITHDRAWAL}`,
    ...{ erases: [], keeps: ["amounts", "name", "document"], why: "law" },
  },
  subscriptions_running: {
    records: `subscriptions t where ${OF_SUBSCRIPTION} and t.status <> 'cancelled'`,
    ...{ erases: [], keeps: [...everything, "card"], why: "contract" },
  },
  subscriptions_ended: {
    records: `subscriptions t where ${OF_SUBSCRIPTION} and t.status = 'cancelled'`,
    ...{ erases: [...everything, "card"], keeps: ["amounts"], why: "nothing" },
  },
  subscribers_running: {
    records: `subscribers t where ${OF_PERSON} and ${SUBSCRIBES}`,
    ...{ erases: [], keeps: ["name", "document", "email", "phone"], why: "contract" },
  },
  subscribers: {
    records: `subscribers t where ${OF_PERSON} and not ${SUBSCRIBES}`,
    ...{ erases: ["name", "document", "email", "phone"], keeps: [], why: "nothing" },
  },
  card_checks: {
    records: `card_charges t where ${OF_PERSON}`,
    ...{ erases: ["email", "device"], keeps: ["document", "address", "card"], why: "fraud" },
  },
  mails: {
    records: `mails t where ${OF_MAIL}`,
    ...{ erases: ["email", "content"], keeps: [], why: "nothing" },
  },
  of_others: {
    records: `(${[
      ofOther("transactions", "client_"),
      ...["subscribers", "subscriptions", "card_charges"].map((table) => ofOther(table)),
    ].join(" union all ")}) t`,
    ...{ erases: [], keeps: [...everything, "amounts"], why: "others" },
  },
} satisfies Record<string, Place>;

export type PlaceName = keyof typeof places;

/** Finds out whose records are sought (`Sought`). */
export async function seek(tx: Tx, accountId: string, { document, email }: Person): Promise<Sought> {
  const [text, value] = email === null ? [ADDRESSES, document] : [OWNER, email];
  const rows = await tx.$queryRawUnsafe<{ found: string }[]>(text, accountId, value);
  const found = rows.map((row) => row.found);
  return email === null
    ? { document, email, owner: document, addresses: found }
    : { document, email, owner: found[0] ?? null, addresses: [email] };
}

/** Of a document with more addresses, which is no person's, the first ones are looked at. */
const MAX_ADDRESSES = 100;

const ADDRESSES = `select distinct email as found from (
    (select client_email as email from transactions where account_id = $1::uuid and client_document = $2 limit ${COUNTED})
    union all select email from subscribers where account_id = $1::uuid and document = $2
    union all select p.email from subscriptions p
      join subscribers s on s.account_id = p.account_id and s.id = p.subscriber_id
      where s.account_id = $1::uuid and s.document = $2
  ) named where email is not null and email <> '—' limit ${MAX_ADDRESSES}`;

const BESIDE = `select client_document as found from transactions
    where account_id = $1::uuid and client_email = $2 and client_document is not null
  union all select document from subscribers where account_id = $1::uuid and email = $2
  union all select document from subscriptions where account_id = $1::uuid and email = $2
  union all select document from card_charges where account_id = $1::uuid and email = $2`;

/** The second document is looked for no further than to the first record that has it. */
const OWNER = `with one as materialized (select found from (${BESIDE}) beside limit 1)
  select found from one where not exists (select from (${BESIDE}) beside where beside.found <> (select found from one))`;

/** What an account keeps of a person, and what an erasure would do. Places without a record are left out. */
export async function effectsOf(tx: Tx, accountId: string, person: Person): Promise<Effect[]> {
  const values = parametersOf(accountId, await seek(tx, accountId, person));
  const counts = Object.entries(places).map(
    ([place, { records }]) => `select '${place}' as place, count(*)::int as found
      from (select from ${records} limit ${COUNTED + 1}) named`,
  );
  const rows = await tx.$queryRawUnsafe<{ place: string; found: number }[]>(
    `with ${TYPED} ${counts.join(" union all ")}`,
    ...values,
  );
  return Object.entries(places).flatMap(([place, { records: _, ...effect }]) => {
    const found = rows.find((row) => row.place === place)?.found ?? 0;
    const years = effect.why === "law" ? KEPT_YEARS : null;
    return found > 0 ? [{ ...effect, place, found, years }] : [];
  });
}
