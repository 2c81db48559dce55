import { inParallel } from "@/lib/batch";
import { few, statement } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { decimal } from "@/lib/money";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { PAID_AT, type Pix } from "@/lib/rails/pix/simulator/records";
import { send } from "@/lib/rails/send";

const TIMEOUT_MS = 4_000;
const BATCH = 40;
const AT_ONCE = 8;
const MAX_ATTEMPTS = 20;

/**
 * Seconds to the next attempt, by attempts made; the last one repeats. The first is longer than a batch can last.
 */
const WAITS = "array[10, 30, 60, 300, 900, 3600]";

type Owed = Pick<Pix, "end_to_end_id" | "txid" | "amount" | "paid_at"> & { attempts: number };

/** Sends a batch of due notices; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export async function sendNotices(): Promise<boolean> {
  const owed = await statement<Owed>("simulator-claim", CLAIM, []);
  const accepted: string[] = [];
  await inParallel(owed, AT_ONCE, async (notice) => {
    const status = await notify(notice);
    const { end_to_end_id, attempts } = notice;
    if (status >= 200 && status < 300) accepted.push(end_to_end_id);
    else log.warn({ endToEndId: end_to_end_id, status, attempts }, "the receiver did not accept the notice of a Pix");
  });
  if (accepted.length > 0) await statement("simulator-notified", NOTIFIED, [accepted]);
  return owed.length === BATCH;
}

/**
 * Claims due notices by moving their next attempt ahead, so that no other process finds them meanwhile, and another one
 * repeats the attempt if this process dies. So a notice may arrive twice, as with a real PSP.
 */
const CLAIM = `with due as materialized (
    select end_to_end_id from simulator_pix where notify_at <= now() and attempts < ${MAX_ATTEMPTS}
    order by notify_at limit ${BATCH} for update skip locked
  )
  update simulator_pix pix
  set attempts = pix.attempts + 1,
    notify_at = now() + make_interval(secs => (${WAITS})[least(pix.attempts + 1, array_length(${WAITS}, 1))])
  from due where ${few("due.end_to_end_id", "text")} and pix.end_to_end_id = due.end_to_end_id
  returning pix.end_to_end_id, pix.txid, pix.amount, pix.attempts, ${PAID_AT}`;

const NOTIFIED = `update simulator_pix pix set notify_at = null from unnest($1::text[]) as due(end_to_end_id)
  where ${few("due.end_to_end_id", "text")} and pix.end_to_end_id = due.end_to_end_id`;

/** POSTs a notice. Returns the receiver's status, or 0 when it did not answer. */
async function notify({ end_to_end_id, txid, amount, paid_at }: Owed): Promise<number> {
  const body = JSON.stringify({
    event_id: `evt_${end_to_end_id}`,
    type: "pix.received",
    end_to_end_id,
    txid,
    amount: decimal(BigInt(amount)),
    paid_at,
  });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const sent = send(`${env.APP_URL}/callbacks/pix/simulator`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      [TIMESTAMP_HEADER]: timestamp,
      [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, timestamp, body),
    },
    body,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return sent.then(
    ({ status }) => status,
    () => 0,
  );
}
