import { setTimeout as sleep } from "node:timers/promises";
import { call, registerWebhook } from "./chaos/partner.mjs";
import { until } from "./chaos/processes.mjs";
import { npmStart } from "./environment.mjs";
import { machineLoad, percentile, table } from "./figures.mjs";
import { cashIn, HAPPENED_BEFORE, pace, startSink } from "./webhooks.mjs";

const EVENTS = 1_000_000;
const PER_SECOND = 50;
/** How long a replay runs before it is measured, because it begins with small sets. */
const WARM_UP_MS = 10_000;
const DELIVERED_WITHIN_MS = 60_000;

/** A replay of a million events, which were never sent, and what happens meanwhile: of its own webhook, and of another account. */
export async function webhooksReplay(environment, { rows = EVENTS, seconds }) {
  const { owner, fixtures, start, port } = environment;
  const [replayed, other] = [await startSink(port()), await startSink(port())];
  const server = await start(...npmStart);
  const [seller, neighbour] = await fixtures.makeSellers(2);
  await owner.query("update accounts set storage_limit_mb = 102400");
  await owner.query("select set_config('app.accounts', '*', false)");
  const from = new Date(Date.now() - 60_000).toISOString();
  await cashIn(server.url, seller.token);
  await owner.query(HAPPENED_BEFORE, [[seller.accountId], rows]);
  await owner.query("vacuum analyze events");
  await owner.query("checkpoint"); // what wrote the events is not measured
  const register = ({ token }, { url }) =>
    registerWebhook(server.url, token, { receiver: `${url}/hook`, event: "transaction" });
  const { id } = await register(seller, replayed);
  await register(neighbour, other);
  for (const { token } of [seller, neighbour]) await cashIn(server.url, token);
  await until(async () => (await other.ask("count")).count >= 1, DELIVERED_WITHIN_MS);

  const live = async (seller, sink) =>
    pace({ owner, server, sink, seller, seconds: 2 * seconds, perSecond: PER_SECOND });
  const both = () => Promise.all([live(seller, replayed), live(neighbour, other)]);
  const quiet = await both();
  const body = { from, to: new Date().toISOString() };
  const startedAt = performance.now();
  const { status, text } = await call(server.url, {
    path: `/api/partner/v1/webhooks/${id}/replay`,
    token: seller.token,
    body,
  });
  if (status !== 202) throw new Error(`Void: the replay was answered ${status} ${text}`);
  console.log(`  the replay was taken in ${(performance.now() - startedAt).toFixed(0)} ms`);
  await sleep(WARM_UP_MS);
  const alone = await rateOf(replayed, seconds);
  const measuredAt = performance.now();
  const before = (await replayed.ask("count")).count;
  const beside = await both();
  const measured = (performance.now() - measuredAt) / 1000;
  const replays = ((await replayed.ask("count")).count - before - beside[0].length) / measured;
  console.log(
    `  replayed a second: ${alone.toFixed(0)}, beside live ones ${replays.toFixed(0)}, load ${machineLoad()}`,
  );
  await server.stop();
  const line = (name, ms) => [name, ...[0.5, 0.99, 1].map((share) => percentile(ms, share).toFixed(0))];
  table([
    [`event → sink at ${PER_SECOND}/s each, ms`, "p50", "p99", "max"],
    line("the webhook, before its replay", quiet[0]),
    line("the webhook, beside its replay", beside[0]),
    line("another account, before", quiet[1]),
    line("another account, beside", beside[1]),
  ]);
  return ["the webhook", "another account"].map((name, index) => ({
    what: `event → sink p99 of ${name} beside the replay, ms`,
    value: percentile(beside[index], 0.99),
    atMost: 1_000,
    digits: 0,
  }));
}

/** How many requests a sink gets a second. */
async function rateOf(sink, seconds) {
  const before = (await sink.ask("count")).count;
  await sleep(seconds * 1000);
  return ((await sink.ask("count")).count - before) / seconds;
}
