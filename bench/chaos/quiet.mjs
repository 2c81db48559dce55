import { setTimeout as sleep } from "node:timers/promises";
import { bringUp } from "./installation.mjs";
import { resend } from "./partner.mjs";
import { eachOf } from "./senders.mjs";

const QUIET_MS = 60_000;
/** Work that failed while the database was away waits for its own next try, longer each time. */
const QUIET_LIMIT_MS = 180_000;
const ANSWERED_WITHIN_MS = 90_000;
const AT_ONCE = 4;

/**
 * After the last fault, callers repeat what was not answered, and then every key once more. Then no request is sent for
 * a minute, or for three while callbacks or jobs wait for a next try. Before that minute, charges whose outcome is not known and
 * deliveries that wait for minutes are made due, to keep the run short. Returns how many of these there were.
 */
export async function quiet({ installation, records, partner, receivers, tokens }) {
  await bringUp(installation, () => installation.isWhole(tokens.probe));
  receivers.state.isQuiet = true;
  const over = performance.now() + ANSWERED_WITHIN_MS;
  const isOver = () => performance.now() > over;
  const keyed = records.intents.filter(({ key }) => key);
  await eachOf(
    keyed.filter(({ open }) => open),
    AT_ONCE,
    (intent) => partner.finish(intent, isOver),
  );
  await eachOf(keyed, AT_ONCE, (intent) => partner.finish(intent, isOver));
  const owner = await installation.postgres.connect();
  try {
    const asked = await owner.query("update calls set due_at = now() where done_at is null");
    const resent = await resendWaiting(owner, installation.url, tokens);
    const from = performance.now();
    await sleep(QUIET_MS);
    while ((await waiting(owner)) > 0 && performance.now() - from < QUIET_LIMIT_MS) await sleep(2_000);
    return { asked: asked.rowCount, resent };
  } finally {
    await owner.end();
  }
}

async function resendWaiting(owner, url, tokens) {
  const { rows } = await owner.query(
    `select id, webhook_id, account_id from deliveries
     where status = 'failed' and next_attempt_at > now() + interval '15 s'`,
  );
  await eachOf(rows, AT_ONCE, (delivery) => resend(url, tokens.byAccount(delivery.account_id), delivery));
  return rows.length;
}

/** Watches, and jobs of the timetable, that failed and wait for another try within the time. */
async function waiting(owner) {
  const { rows } = await owner.query(
    `select ((select count(*) from watches where ask_at < now() + interval '3 minutes')
       + (select count(*) from timed_jobs where attempts > 0 and due_at < now() + interval '3 minutes'))::int as count`,
  );
  return rows[0].count;
}
