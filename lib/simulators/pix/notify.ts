import { inParallel } from "@/lib/concurrency/parallel";
import { claimsOf } from "@/lib/due/claims";
import { type DueRows, idOf } from "@/lib/due/find";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { decimal } from "@/lib/money";
import { httpClient } from "@/lib/outside/http-client";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { dueSteps, takeSteps } from "@/lib/simulators/pix/payout-steps";
import { PAID_AT, type Pix } from "@/lib/simulators/pix/records";
import { realNow } from "@/lib/time/clock";

const TIMEOUT_MS = 4_000;
const BATCH = 40;
const AT_ONCE = 8;
const MAX_ATTEMPTS = 20;

/** Seconds to the next attempt, by attempts made; the last one repeats. */
const WAITS = "array[10, 30, 60, 300, 900, 3600]";
/** How long a claim lasts without renewal: if this process dies, another one repeats the attempt then. */
const LEASE_MS = 5_000;

type Claimed = { attempts: number };

/** A queue of notices: its table and key, what is read of a row `t`, and what its notice says. */
type Notices<Row> = { table: string; id: string; columns: string; bodyOf(row: Row): object };

/**
 * A queue of notices. A notice may arrive twice, as with a real PSP. A row that changes while its notice is sent owes the next
 * one, because the change makes it due anew.
 */
function queueOf<Row extends object>({ table, id, columns, bodyOf }: Notices<Row>) {
  const rows = {
    ...{ table, key: { [id]: "text" }, at: "notify_at" },
    only: `t.notify_at is not null and t.attempts < ${MAX_ATTEMPTS}`,
  } satisfies DueRows;
  const claims = claimsOf<Row & Claimed>({
    ...{ name: table, rows, leaseMs: LEASE_MS, limit: BATCH },
    columns: `, t.attempts, ${columns}`,
    sets: ", attempts = t.attempts + 1",
    // After the last attempt there is none.
    wait: `case when t.attempts < ${MAX_ATTEMPTS}
      then make_interval(secs => (${WAITS})[least(t.attempts, array_length(${WAITS}, 1))]) end`,
  });
  const end = claims.ending("notified", "notify_at = null");

  /** Sends a batch of what is due. Returns whether more may be due. */
  async function send(): Promise<boolean> {
    const claimed = await claims.claim();
    const accepted = new Set<string>();
    const { kept } = await claims.keep(claimed, () =>
      inParallel(claimed, AT_ONCE, async (row) => {
        const status = await notify(bodyOf(row));
        if (status >= 200 && status < 300) return void accepted.add(idOf(rows.key, row));
        const { attempts } = row;
        log.warn({ table, id: idOf(rows.key, row), status, attempts }, "the receiver did not accept a notice");
      }),
    );
    const isAccepted = (row: object) => accepted.has(idOf(rows.key, row));
    await end(kept.filter(isAccepted));
    await claims.wait(kept.filter((row) => !isAccepted(row)));
    return claimed.length === BATCH;
  }

  return { rows, send };
}

const queues = [
  queueOf({
    table: "simulator_pix",
    id: "end_to_end_id",
    columns: `t.txid, t.amount, ${PAID_AT}`,
    bodyOf: ({
      endToEndId,
      txid,
      amount,
      paid_at,
    }: Pick<Pix, "txid" | "amount" | "paid_at"> & { endToEndId: string }) => ({
      event_id: `evt_${endToEndId}`,
      type: "pix.received",
      end_to_end_id: endToEndId,
      txid,
      amount: decimal(BigInt(amount)),
      paid_at,
    }),
  }),
  queueOf({
    table: "simulator_recs",
    id: "id_rec",
    columns: "t.changes, t.doc ->> 'status' as status",
    bodyOf: ({ idRec, changes, status }: { idRec: string; changes: number; status: string }) => {
      return { event_id: `evt_${idRec}_${changes}`, type: "rec", idRec, status };
    },
  }),
  queueOf({
    table: "simulator_cobrs",
    id: "txid",
    columns: "t.changes, t.doc ->> 'status' as status",
    bodyOf: ({ txid, changes, status }: { txid: string; changes: number; status: string }) => {
      return { event_id: `evt_${txid}_${changes}`, type: "cobr", txid, status };
    },
  }),
  queueOf({
    table: "simulator_devolucoes",
    id: "id",
    columns: "t.changes, t.end_to_end_id as e2e, t.status",
    bodyOf: ({ id, changes, e2e, status }: { id: string; changes: number; e2e: string; status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "devolucao", end_to_end_id: e2e, id, status };
    },
  }),
  queueOf({
    table: "simulator_payouts",
    id: "id",
    columns: "t.changes, t.status",
    bodyOf: ({ id, changes, status }: { id: string; changes: number; status: string }) => {
      return { event_id: `evt_${id}_${changes}`, type: "payout", id, status };
    },
  }),
];

/** What the simulated PSP has to report, and payouts of which something is to be done first. */
export const dueNotices: readonly DueRows[] = [...queues.map(({ rows }) => rows), dueSteps];

/** Sends a batch of due notices of each queue; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export async function sendNotices(): Promise<boolean> {
  let isMoreDue = await takeSteps();
  for (const { send } of queues) isMoreDue = (await send()) || isMoreDue;
  return isMoreDue;
}

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
