import { createServer } from "node:http";
import { onStop } from "../bin/lifecycle.mjs";
import { registerWebhook } from "./chaos/partner.mjs";
import { until } from "./chaos/processes.mjs";
import { npmStart } from "./environment.mjs";
import { machineLoad, median, medianRatio, percentile, table } from "./figures.mjs";
import { cashIn, HAPPEN, pace, startSink } from "./webhooks.mjs";

const ATTACKERS = 60;
/** Of each attacker: half of its webhooks hang, half answer late. */
const WEBHOOKS = 4;
const EVENTS_EACH = 250;
const LATE_MS = 9_000;
const PER_SECOND = 20;
const SIBLINGS = 4;
const SIBLINGS_EVENTS = 2_500;
const DELIVERED_WITHIN_MS = 120_000;

/** What endpoints that hang or answer late cost others: webhooks of the same account, and other accounts. */
export async function webhooksAttack(environment, { rounds, seconds }) {
  const { owner, fixtures, start, port } = environment;
  const [sink, slow] = [await startSink(port()), await openSlow(port())];
  const server = await start(...npmStart);
  const [victim, alone, beside, ...attackers] = await fixtures.makeSellers(3 + ATTACKERS);
  await owner.query("update accounts set storage_limit_mb = 102400");
  await owner.query("select set_config('app.accounts', '*', false)");
  const register = ({ token }, receiver) => registerWebhook(server.url, token, { receiver, event: "transaction" });
  await register(victim, `${sink.url}/victim`);
  for (const seller of [alone, beside])
    for (let n = 0; n < SIBLINGS; n++) await register(seller, `${sink.url}/${seller.accountId}/${n}`);
  await register(beside, slow.urlOf("hangs"));
  for (const seller of attackers)
    for (let n = 0; n < WEBHOOKS; n++) await register(seller, slow.urlOf(n % 2 === 0 ? "hangs" : "late"));
  for (const { token } of [victim, alone, beside, attackers[0]]) await cashIn(server.url, token);
  await until(async () => (await sink.ask("count")).count >= 1 + 2 * SIBLINGS, DELIVERED_WITHIN_MS);

  const rates = { alone: [], beside: [] };
  for (let round = 0; round < rounds; round++) {
    const sellers = [
      ["alone", alone],
      ["beside", beside],
    ];
    if (round % 2 === 1) sellers.reverse(); // whoever comes second finds what the first has left
    for (const [name, seller] of sellers) rates[name].push(await deliverAll(owner, sink, seller));
    console.log(
      `  round ${round + 1}: ${rates.alone[round].toFixed(0)} a second, ${rates.beside[round].toFixed(0)} beside one that hangs, load ${machineLoad()}`,
    );
  }

  const live = () => pace({ owner, server, sink, seller: victim, seconds, perSecond: PER_SECOND });
  const quiet = await live();
  const attack = () => owner.query(HAPPEN, [attackers.map(({ accountId }) => accountId), ATTACKERS * EVENTS_EACH]);
  await attack();
  const first = await live();
  await attack();
  const second = await live();
  console.log(`  ${slow.count()} attempts at attackers' endpoints, load ${machineLoad()}`);
  await server.stop();
  const line = (name, ms) => [name, ...[0.5, 0.99, 1].map((share) => percentile(ms, share).toFixed(0))];
  table([
    [`event → sink at ${PER_SECOND}/s, ms`, "p50", "p99", "max"],
    line("before", quiet),
    line("from the first attack on", first),
    line("from the second on", second),
  ]);
  const attacked = [...first, ...second].sort((one, other) => one - other);
  console.log(`  siblings: median ${median(rates.alone).toFixed(0)} and ${median(rates.beside).toFixed(0)} a second`);
  return [
    { what: "siblings of one that hangs over without", value: medianRatio(rates.beside, rates.alone), atLeast: 0.9 },
    {
      what: `event → sink p99 beside ${ATTACKERS} slow accounts, ms`,
      value: percentile(attacked, 0.99),
      atMost: 1_000,
      digits: 0,
    },
  ];
}

/** Has events of a seller happen at once. Returns how many of their deliveries arrived a second. */
async function deliverAll(owner, sink, { accountId }) {
  sink.forget();
  const due = SIBLINGS_EVENTS * SIBLINGS;
  const startedAt = Date.now();
  await owner.query(HAPPEN, [[accountId], SIBLINGS_EVENTS]);
  await until(async () => (await sink.ask("count")).count >= due, DELIVERED_WITHIN_MS);
  return due / (((await sink.ask("arrived")).last - startedAt) / 1000);
}

/** A receiver that never answers at one path, and late at another. */
async function openSlow(port) {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    if (request.url === "/late") setTimeout(() => response.writeHead(200).end(), LATE_MS);
  });
  await new Promise((done) => server.listen(port, "127.0.0.1", done));
  onStop(() => {
    server.close();
    server.closeAllConnections();
  });
  return { urlOf: (path) => `http://localhost:${port}/${path}`, count: () => count };
}
