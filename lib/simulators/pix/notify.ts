import { inParallel } from "@/lib/concurrency/parallel";
import { expectFew, runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { decimal } from "@/lib/money";
import { httpClient } from "@/lib/outside/http-client";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { PAID_AT, type Pix } from "@/lib/simulators/pix/records";
import { realNow } from "@/lib/time/clock";

const TIMEOUT_MS = 4_000;
const BATCH = 40;
const AT_ONCE = 8;
const MAX_ATTEMPTS = 20;

/** Seconds to the next attempt, by attempts made; the last one repeats. */
const WAITS = "array[10, 30, 60, 300, 900, 3600]";
/** How long a claim lasts: if this process dies, another one repeats the attempt then. */
const CLAIM_SECONDS = 5;

/** A queue of notices: its table, and what a notice says. `id` is the row's key. */
type Queue = { table: string; key: string; columns: string; bodyOf(row: never): object };
type Row = { id: string; attempts: number; changes: number };

const queues: readonly Queue[] = [
  {
    table: "simulator_pix",
    key: "end_to_end_id",
    columns: `0 as changes, txid, amount, ${PAID_AT}`,
    bodyOf: ({ id, txid, amount, paid_at }: Row & Pick<Pix, "txid" | "amount" | "paid_at">) => ({
      event_id: `evt_${id}`,
      type: "pix.received",
      end_to_end_id: id,
      txid,
      amount: decimal(BigInt(amount)),
      paid_at,
    }),
  },
  {
    table: "simulator_recs",
    key: "id_rec",
    columns: "changes, doc ->> 'status' as status",
    bodyOf: ({ id, changes, status }: Row & { status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "rec", idRec: id, status };
    },
  },
  {
    table: "simulator_cobrs",
    key: "txid",
    columns: "changes, doc ->> 'status' as status",
    bodyOf: ({ id, changes, status }: Row & { status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "cobr", txid: id, status };
    },
  },
];

/** Sends a batch of due notices of each queue; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export async function sendNotices(): Promise<boolean> {
  let isMoreDue = false;
  for (const queue of queues) isMoreDue = (await sendSome(queue)) || isMoreDue;
  return isMoreDue;
}

async function sendSome({ table, key, columns, bodyOf }: Queue): Promise<boolean> {
  const owed = await runPrepared<Row>(`${table}-claim`, claim(table, key, columns), []);
  const accepted: Row[] = [];
  const refused: Row[] = [];
  await inParallel(owed, AT_ONCE, async (row) => {
    const status = await notify(bodyOf(row as never));
    const { id, attempts } = row;
    if (status >= 200 && status < 300) return void accepted.push(row);
    refused.push(row);
    log.warn({ table, id, status, attempts }, "the receiver did not accept a notice");
  });
  if (accepted.length > 0) await runPrepared(`${table}-notified`, notified(table, key), [JSON.stringify(accepted)]);
  if (refused.length > 0) await runPrepared(`${table}-later`, later(table, key), [JSON.stringify(refused)]);
  return owed.length === BATCH;
}

/**
 * Claims due notices by moving their next attempt ahead, so that no other process finds them meanwhile. A notice may
 * arrive twice, as with a real PSP.
 */
const claim = (table: string, key: string, columns: string) => `with due as materialized (
    select ${key} as id from ${table} where notify_at <= now() and attempts < ${MAX_ATTEMPTS}
    order by notify_at limit ${BATCH} for update skip locked
  )
  update ${table} owed
  set attempts = owed.attempts + 1, notify_at = now() + interval '${CLAIM_SECONDS} seconds'
  from due where ${expectFew("due.id", "text")} and owed.${key} = due.id
  returning due.id, owed.attempts, ${columns}`;

const notified = (table: string, key: string) => change(table, key, "null");

const later = (table: string, key: string) =>
  change(
    table,
    key,
    `case when owed.attempts < ${MAX_ATTEMPTS}
      then now() + make_interval(secs => (${WAITS})[least(owed.attempts, array_length(${WAITS}, 1))]) end`,
  );

/** A row that changed meanwhile owes the next notice. */
const change = (table: string, key: string, notifyAt: string) => `update ${table} owed set notify_at = ${notifyAt}
  from json_to_recordset($1::json) as told(id text, changes int)
  where ${expectFew("told.id", "text")} and owed.${key} = told.id${table === "simulator_pix" ? "" : " and owed.changes = told.changes"}`;

/** Here the simulated PSP is the one who asks. */
const receiver = httpClient(() => ({ provider: "repasse", baseUrl: env.APP_URL }));

/** POSTs a notice. Returns the receiver's status, or 0 when it did not answer. */
async function notify(notice: object): Promise<number> {
  const body = JSON.stringify(notice);
  const timestamp = String(Math.floor(realNow().getTime() / 1000));
  const headers = { [TIMESTAMP_HEADER]: timestamp, [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, timestamp, body) };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const sent = receiver("/callbacks/pix/simulator", { method: "POST", kind: "POST /callbacks", headers, body, signal });
  return sent.then(
    ({ status }) => status,
    () => 0,
  );
}
