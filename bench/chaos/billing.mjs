import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./partner.mjs";
import { until } from "./processes.mjs";
import { parsed } from "./records.mjs";
import { eachOf } from "./senders.mjs";

const API = "/api/partner/v1";
const SUBSCRIBERS = 20;
const AT_ONCE = 4;
/** From here on the second cycle of a monthly plan is charged. */
const DAYS = 26;
const DAY_MS = 86_400_000;
const BEGINS_WITHIN_MS = 30_000;
const GOES_ON_WITHIN_MS = 10_000;
const ENDS_WITHIN_MS = 120_000;

/** Kills whatever works while a sandbox's subscriptions are billed. Throws unless each is then charged once. */
export async function killBilling(context) {
  const subscribed = await subscribe(context);
  const { names } = await killDuring(context, subscribed, (owner) =>
    owner.query(
      `update accounts set clock_offset_ms = clock_offset_ms + ${DAYS * DAY_MS}
       where id = (select account_id from plans where id = $1)`,
      [subscribed.plan],
    ),
  );
  await isChargedOnce(context, subscribed);
  return `${names} while ${SUBSCRIBERS} were billed`;
}

/** Kills whatever works while a sandbox's clock advances. Throws unless it goes on within 10 s and each is charged once. */
export async function killAdvance(context) {
  const subscribed = await subscribe(context);
  const advance = { path: `${API}/sandbox/clock/advance`, token: context.probeToken, body: { days: DAYS } };
  const { names, killedAt } = await killDuring(context, subscribed, () => {
    call(context.installation.url, advance); // it is answered after 5 s, while its work goes on
  });
  const owner = await connected(context.installation);
  try {
    const row = async () => (await owner.query(ADVANCE, [subscribed.plan, killedAt])).rows[0];
    await until(async () => (await row()).goes_on, GOES_ON_WITHIN_MS);
    const { after } = await row();
    await until(async () => (await row()).is_done, ENDS_WITHIN_MS);
    await isChargedOnce(context, subscribed);
    return `${names}, went on after ${after.toFixed(1)} s`;
  } finally {
    await owner.end();
  }
}

/** Whether somebody has claimed the last advance since an instant; a claim lasts for 6 s. */
const ADVANCE = `select claimed_until > $2::timestamptz + interval '6.1 seconds' or done_at is not null as goes_on,
    extract(epoch from clock_timestamp() - $2::timestamptz)::float8 as after, done_at is not null as is_done
  from clock_advances where account_id = (select account_id from plans where id = $1)
  order by created_at desc limit 1`;

/** A plan of its own with subscribers whose first charge is paid. */
async function subscribe({ installation: { url }, probeToken: token }) {
  const seller = { url, token };
  const plan = await aPlan(seller);
  const tokens = [];
  const people = Array.from({ length: SUBSCRIBERS }, (_, index) => `caos${index}@example.com`);
  await eachOf(people, AT_ONCE, async (email) => {
    const { subscription_token: subscription, payment } = await subscribeOne(seller, plan, email);
    await ask(seller, `/sandbox/pix/${payment.identifier}/pay`, {});
    tokens.push(subscription);
  });
  return { plan, tokens };
}

/** The token of a new plan by Pix. */
export async function aPlan(seller) {
  const plan = { name: "Caos", amount: "49.90", billing_method: "qr_code" };
  return (await ask(seller, "/subscription-plans", plan)).data.token;
}

/** Enrols a person, and repeats it under its key until it is answered. */
export const subscribeOne = (seller, plan, email) =>
  ask(seller, `/subscription-plans/${plan}/enroll`, { name: "Ana Souza", email, document: "52998224725" });

async function ask({ url, token }, path, body) {
  const key = randomUUID();
  for (;;) {
    const { status, text } = await call(url, { path: `${API}${path}`, token, key, body });
    if (status === 200 || status === 201) return parsed(text);
    if (status && status < 500 && status !== 409) throw new Error(`${path} was answered ${status} ${text}`);
    await sleep(300);
  }
}

/** Kills every program that works. Returns their names, and what resolves when they were started again. */
export function killWorking({ programs }) {
  const working = programs.filter(({ role }) => role !== "web");
  const started = Promise.all(working.map((program) => program.nextStart()));
  for (const program of working) program.signal("SIGKILL");
  return { names: working.map(({ name }) => name).join(" and "), started };
}

/** The owner of the database, who sees every account. */
export async function connected({ postgres }) {
  const owner = await postgres.connect();
  await owner.query("select set_config('app.accounts', '*', false)");
  return owner;
}

/** Begins work, holds it up in its middle, where it writes cycles, and kills every program that works. */
async function killDuring(context, { tokens }, begin) {
  const { installation } = context;
  const [owner, other] = [await connected(installation), await connected(installation)];
  const answer = async (text, values = []) => (await other.query(text, values)).rows[0].answer;
  try {
    const unpaid =
      "select count(*)::int as answer from subscriptions where id = any($1::uuid[]) and status <> 'active'";
    await until(async () => (await answer(unpaid, [tokens])) === 0, BEGINS_WITHIN_MS);
    await owner.query("begin; lock table cycles in share row exclusive mode");
    await begin(other);
    const waiting = "select count(*)::int as answer from pg_stat_activity where $1::int = any(pg_blocking_pids(pid))";
    await until(async () => (await answer(waiting, [owner.processID])) > 0, BEGINS_WITHIN_MS);
    const { names, started } = killWorking(installation);
    const killedAt = await answer("select clock_timestamp()::text as answer");
    await owner.query("rollback");
    await started;
    return { names, killedAt };
  } finally {
    await Promise.all([owner.end(), other.end()]);
  }
}

/** Waits until each subscription has its second cycle, and throws where one has another number of cycles or codes. */
async function isChargedOnce(context, { tokens }) {
  const owner = await connected(context.installation);
  try {
    const text = `select s.id, (select string_agg(number::text, ',' order by number) from cycles c
        where c.account_id = s.account_id and c.subscription_id = s.id) as cycles,
      (select count(*)::int from transactions t where t.account_id = s.account_id and t.subscription_id = s.id) as sales
      from subscriptions s where s.id = any($1::uuid[])`;
    const read = async () => (await owner.query(text, [tokens])).rows;
    await until(async () => (await read()).every(({ cycles }) => cycles !== "1"), ENDS_WITHIN_MS);
    const wrong = (await read()).filter(({ cycles, sales }) => cycles !== "1,2" || sales !== 2);
    if (wrong.length > 0) throw new Error(`charged otherwise than once: ${JSON.stringify(wrong.slice(0, 3))}`);
  } finally {
    await owner.end();
  }
}
