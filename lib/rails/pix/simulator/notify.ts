import { statement } from "@/lib/db";
import { env } from "@/lib/env";
import { log } from "@/lib/log";
import { decimal } from "@/lib/money";
import { SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";

const TIMEOUT_MS = 5_000;
const BATCH = 20;
const MAX_ATTEMPTS = 20;

/**
 * Seconds to the next attempt, by attempts made; the last one repeats. The first is longer than an attempt can last.
 */
const WAITS = "array[10, 30, 60, 300, 900, 3600]";

type Owed = { end_to_end_id: string; txid: string; amount: string; attempts: number };

/** Sends a batch of due notices; each again until a 2xx or 20 attempts. Returns whether more may be due. */
export async function sendNotices(): Promise<boolean> {
  const owed = await claim("simulator-claim-due", "notify_at <= now()", []);
  await Promise.all(owed.map(notify));
  return owed.length === BATCH;
}

/**
 * Claims due notices by moving their next attempt ahead, so that no other process finds them meanwhile, and another one
 * repeats the attempt if this process dies. So a notice may arrive twice, as with a real PSP.
 */
function claim(name: string, due: string, values: string[]) {
  return statement<Owed>(
    name,
    `with due as (
       select end_to_end_id from simulator_pix where ${due} and attempts < ${MAX_ATTEMPTS}
       order by notify_at limit ${BATCH} for update skip locked
     )
     update simulator_pix pix
     set attempts = pix.attempts + 1,
         notify_at = now() + make_interval(secs => (${WAITS})[least(pix.attempts + 1, array_length(${WAITS}, 1))])
     from due where pix.end_to_end_id = due.end_to_end_id
     returning pix.end_to_end_id, pix.txid, pix.amount, pix.attempts`,
    values,
  );
}

async function notify({ end_to_end_id, txid, amount, attempts }: Owed) {
  const notice = {
    event_id: `evt_${end_to_end_id}`,
    type: "pix.received",
    end_to_end_id,
    txid,
    amount: decimal(BigInt(amount)),
  };
  const status = await post(JSON.stringify(notice));
  if (status >= 200 && status < 300) {
    await statement("simulator-notified", "update simulator_pix set notify_at = null where end_to_end_id = $1", [
      end_to_end_id,
    ]);
  } else {
    log.warn({ endToEndId: end_to_end_id, status, attempts }, "the receiver did not accept the notice of a Pix");
  }
}

/** POSTs a notice. Returns the receiver's status, or 0 when it did not answer. */
async function post(body: string): Promise<number> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  try {
    const response = await fetch(`${env.APP_URL.replace(/\/+$/, "")}/callbacks/pix/simulator`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        [TIMESTAMP_HEADER]: timestamp,
        [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, timestamp, body),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return 0;
  }
}
