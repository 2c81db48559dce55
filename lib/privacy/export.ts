import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, readFor } from "@/lib/db";
import { newId } from "@/lib/ids";
import { kindOf } from "@/lib/privacy/erase";
import {
  effectsOf,
  OF_MAIL,
  OF_PERSON,
  OF_SALE,
  OF_SUBSCRIPTION,
  OF_WITHDRAWAL,
  parametersOf,
  seek,
  TYPED,
} from "@/lib/privacy/places";
import type { Person } from "@/lib/privacy/schema";
import { iso, realNow } from "@/lib/time/clock";

/** What an account keeps of a person, place by place, and what an erasure would do there. It changes nothing. */
export const readEffects = (accountId: string, person: Person) =>
  readFor(accountId, async (tx) => ({ data: await effectsOf(tx, accountId, person) }));

/** How many records are read at once. */
const BATCH = 200;
const NIL = "00000000-0000-0000-0000-000000000000";

/** SQL: the deliveries of the events of the record `t`, each with its body, as long as it is kept. */
const DELIVERIES = `(select coalesce(jsonb_agg(jsonb_build_object('event', d.event, 'url', d.url, 'status', d.status,
      'created_at', d.created_at, 'body', b.body) order by d.id), '[]')
    from events e join deliveries d on d.account_id = e.account_id and d.event_id = e.id
    left join delivery_bodies b on b.account_id = d.account_id and b.event_id = d.event_id
      and b.contract = d.contract and b.event = d.event
    where e.account_id = $1::uuid and e.subject_id = t.id)`;

const ofRow = (except: string) => `jsonb_strip_nulls(to_jsonb(t) - '{account_id,${except}}'::text[])`;

/** Every section of the file: SQL of its records after the id of `$6`, in the order of their ids. */
const sections = {
  sales: `select t.id, ${ofRow("request_id,callback")} || jsonb_build_object('refunds', (
        select coalesce(jsonb_agg(jsonb_build_object('amount', r.amount, 'status', r.status, 'reason', r.reason,
          'reason_details', r.reason_details, 'created_at', r.created_at) order by r.id), '[]')
        from refunds r where r.account_id = $1::uuid and r.transaction_id = t.id
      ), 'deliveries', ${DELIVERIES}) as record
    from transactions t where ${OF_SALE} and t.id > $6::uuid order by t.id limit ${BATCH}`,
  withdrawals: `select t.id, ${ofRow("limits,asked_by,approved_by")} as record
    from withdrawals t where ${OF_WITHDRAWAL} and t.id > $6::uuid order by t.id limit ${BATCH}`,
  subscribers: `select t.id, ${ofRow("name_key")} as record
    from subscribers t where ${OF_PERSON} and t.id > $6::uuid order by t.id limit ${BATCH}`,
  subscriptions: `select t.id, ${ofRow("act_at,card_warnings")} || jsonb_build_object('card', (
        select jsonb_build_object('brand', c.brand, 'last4', c.last4, 'consent', c.consent, 'kept_at', c.created_at)
        from stored_cards c where c.account_id = $1::uuid and c.id = t.stored_card_id
      ), 'deliveries', ${DELIVERIES}) as record
    from subscriptions t where ${OF_SUBSCRIPTION} and t.id > $6::uuid order by t.id limit ${BATCH}`,
  card_checks: `select t.transaction_id as id, ${ofRow("token_id,fingerprint,rule")} as record
    from card_charges t where ${OF_PERSON} and t.transaction_id > $6::uuid order by t.transaction_id limit ${BATCH}`,
  mails: `select t.id, jsonb_build_object('template', t.template, 'recipient', t.recipient, 'status', t.status,
      'created_at', t.created_at, 'sent_at', t.sent_at) as record
    from mails t where ${OF_MAIL} and t.id > $6::uuid
    order by t.id limit ${BATCH}`,
};

/**
 * All that an account keeps of a person, as the text of a JSON file that is read while it is sent. Amounts are in cents. Notes
 * in the audit that it was exported, without saying of whom.
 */
export async function exportPerson({ id: accountId, name }: AccountContext, { person }: { person: Person }) {
  const after = { by: kindOf(person) };
  await forAccount(accountId, (tx) =>
    recordChange(tx, { accountId, subject: "customer_data", id: newId(), verb: "exported", after }),
  );
  return textOf(accountId, { account: name, made_at: iso(realNow()), amounts_in: "cents", person });
}

async function* textOf(accountId: string, head: { person: Person; [member: string]: unknown }): AsyncIterable<string> {
  const values = parametersOf(accountId, await readFor(accountId, (tx) => seek(tx, accountId, head.person)));
  yield JSON.stringify(head).slice(0, -1);
  for (const [section, text] of Object.entries(sections)) {
    let [after, comma] = [NIL, ""];
    yield `,\n${JSON.stringify(section)}:[`;
    for (let rows: { id: string; record: object }[] = []; ; ) {
      rows = await readFor(accountId, (tx) =>
        tx.$queryRawUnsafe(`with ${TYPED}, after as (select $6::uuid) ${text}`, ...[...values, after]),
      );
      if (rows.length > 0) yield comma + rows.map(({ record }) => JSON.stringify(record)).join(",\n");
      if (rows.length < BATCH) break;
      [after, comma] = [rows.at(-1)?.id ?? NIL, ",\n"];
    }
    yield "]";
  }
  yield "}\n";
}
