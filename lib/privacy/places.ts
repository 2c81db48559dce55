import type { Tx } from "@/lib/db";
import { COUNTED } from "@/lib/lists/pagination";
import type { Effect, Person } from "@/lib/privacy/schema";

/**
 * For how many years after its payment a sale keeps who paid it. An account may not erase what a law makes it keep (Lei
 * 13.709/2018, art. 16, I): Lei 9.613/1998, art. 10, § 2 asks for five years at least, and Circular BCB 3.978/2020, art. 67
 * for ten, of who is bound by it. This program keeps the longer time; whether an account is bound is for its lawyers to say.
 */
export const KEPT_YEARS = 10;

/** What the encrypted person of an erasure is bound to. */
export const personContext = (accountId: string, id: string) => `erasure:${accountId}:${id}`;

/** SQL: the parameters of every statement about a person: the account, the document, the e-mail and the mails' addresses. */
export const parametersOf = (accountId: string, { document, email }: Person, addresses: readonly string[]) => [
  ...[accountId, document, email, addresses],
];

/** SQL: whether the sale `t` names the person. */
export const OF_SALE = "t.account_id = $1::uuid and (t.client_document = $2 or t.client_email = $3)";

/** SQL: whether the law makes the account keep who paid the sale `t`. */
export const IS_KEPT = `(t.paid_at is not null and t.paid_at > now() - interval '${KEPT_YEARS} years')`;

/** SQL: whether the subscriber or subscription `t` is the person's. */
export const OF_PERSON = "t.account_id = $1::uuid and (t.document = $2 or t.email = $3)";
export const OF_SUBSCRIPTION = `t.account_id = $1::uuid and (t.document = $2 or t.email = $3 or t.subscriber_id in (
  select s.id from subscribers s where s.account_id = $1::uuid and (s.document = $2 or s.email = $3)))`;

type Place = Omit<Effect, "found" | "years"> & {
  /** SQL: the records that name the person. */
  records: string;
};

const contact = ["email", "phone", "address", "device"];
const everything = ["name", "document", ...contact];

/** Every place where an account keeps something of a customer, what an erasure does there, and what stays and why. */
export const places: readonly Place[] = [
  {
    place: "sales_paid",
    records: `transactions t where ${OF_SALE} and ${IS_KEPT}`,
    ...{ erases: contact, keeps: ["amounts", "name", "document", "payer"], why: "law" },
  },
  {
    place: "sales_unpaid",
    records: `transactions t where ${OF_SALE} and not ${IS_KEPT}`,
    ...{ erases: everything, keeps: ["amounts"], why: "nothing" },
  },
  {
    place: "refunds",
    records: `refunds r join transactions t on t.account_id = r.account_id and t.id = r.transaction_id where ${OF_SALE}`,
    ...{ erases: [], keeps: ["amounts", "reason"], why: "law" },
  },
  {
    place: "subscriptions_running",
    records: `subscriptions t where ${OF_SUBSCRIPTION} and t.status <> 'cancelled'`,
    ...{ erases: [], keeps: [...everything, "card"], why: "contract" },
  },
  {
    place: "subscriptions_ended",
    records: `subscriptions t where ${OF_SUBSCRIPTION} and t.status = 'cancelled'`,
    ...{ erases: [...everything, "card"], keeps: ["amounts"], why: "nothing" },
  },
  {
    place: "card_checks",
    records: `card_charges t where ${OF_PERSON}`,
    ...{ erases: ["email", "device"], keeps: ["document", "address", "card"], why: "fraud" },
  },
  {
    place: "mails",
    records: "mails t where t.account_id = $1::uuid and t.recipient = any($4::text[])",
    ...{ erases: ["email", "content"], keeps: [], why: "nothing" },
  },
];

/**
 * The addresses to which an account mailed a person: the e-mail that they are known by, or those of the records with their
 * document.
 */
export async function addressesOf(tx: Tx, accountId: string, { document, email }: Person): Promise<string[]> {
  if (email !== null) return [email];
  const rows = await tx.$queryRawUnsafe<{ email: string }[]>(
    `select distinct email from (
      (select client_email as email from transactions where account_id = $1::uuid and client_document = $2 limit ${COUNTED})
      union all select email from subscribers where account_id = $1::uuid and document = $2
      union all select p.email from subscriptions p
        join subscribers s on s.account_id = p.account_id and s.id = p.subscriber_id
        where s.account_id = $1::uuid and s.document = $2
    ) named where email is not null limit ${MAX_ADDRESSES}`,
    ...[accountId, document],
  );
  return rows.map((row) => row.email);
}

/** Of a document with more addresses, which is no person's, the first ones are looked at. */
const MAX_ADDRESSES = 100;

/** What an account keeps of a person, and what an erasure would do. Places without a record are left out. */
export async function effectsOf(tx: Tx, accountId: string, person: Person): Promise<Effect[]> {
  const values = parametersOf(accountId, person, await addressesOf(tx, accountId, person));
  const counts = places.map(
    ({ place, records }) => `select '${place}' as place, count(*)::int as found
      from (select from ${records} limit ${COUNTED + 1}) named`,
  );
  const rows = await tx.$queryRawUnsafe<{ place: string; found: number }[]>(
    `with typed as (select $1::uuid, $2::text, $3::text, $4::text[]) ${counts.join(" union all ")}`,
    ...values,
  );
  return places.flatMap(({ records: _, ...place }) => {
    const found = rows.find((row) => row.place === place.place)?.found ?? 0;
    return found > 0 ? [{ ...place, found, years: place.why === "law" ? KEPT_YEARS : null }] : [];
  });
}
