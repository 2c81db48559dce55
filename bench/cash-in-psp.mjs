import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../bin/settings.mjs";
import { median, percentile, table } from "./figures.mjs";
import { load } from "./load.mjs";

const PATH = "/api/partner/v1/cash-in";
const BODY = JSON.stringify({ amount: 129.9, description: "Pedido 1042" });
/** How long the PSP takes for an answer. */
const PSP_MS = 150;
/** How soon every process knows a PSP that was connected. */
const KNOWN_AFTER_MS = 6_000;
const SAMPLE_MS = 20;

/** POST /cash-in of a live account, whose codes are made by a PSP that answers after 150 ms, in one process. */
export async function cashInPsp({ owner, fixtures, start }, { rounds, seconds }) {
  const psp = await fixtures.connectPsp(PSP_MS);
  const { token } = await fixtures.makeLiveSeller();
  const host = await start(join(root, "bench/host.mjs"));
  await sleep(KNOWN_AFTER_MS);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const subject = { url: host.url, path: PATH, method: "POST", body: BODY, headers };
  await load(subject, seconds);
  const runs = [];
  for (let round = 0; round < rounds; round++) {
    const sampled = sampleHeld(owner);
    const run = await load(subject, seconds);
    runs.push({ ...run, held: await sampled.stop() });
    console.log(`  round ${round + 1}: ${run.perSecond.toFixed(0)} a second, p99 ${run.p99} ms`);
  }
  await host.stop();
  await psp.close();
  const held = runs.flatMap((run) => run.held).sort((one, other) => one - other);
  table([
    ["median", "requests/s", "p99 ms", "transactions open at once, p50", "p99"],
    [
      `a PSP of ${PSP_MS} ms`,
      median(runs.map(({ perSecond }) => perSecond)).toFixed(0),
      median(runs.map(({ p99 }) => p99)).toFixed(0),
      percentile(held, 0.5).toFixed(0),
      percentile(held, 0.99).toFixed(0),
    ],
  ]);
  return [
    {
      what: "cash-in a second with a PSP of 150 ms",
      value: median(runs.map(({ perSecond }) => perSecond)),
      atLeast: 100,
      digits: 0,
    },
    { what: "its p99 in ms", value: median(runs.map(({ p99 }) => p99)), atMost: 600, digits: 0 },
    { what: "transactions of the database open at once, p50", value: percentile(held, 0.5), atMost: 2, digits: 0 },
  ];
}

/** How many connections have a transaction open, again and again until it is stopped: one that waits for a PSP is seen often. */
function sampleHeld(owner) {
  const held = [];
  let isOver = false;
  const text =
    "select count(*)::int as held from pg_stat_activity where xact_start is not null and pid <> pg_backend_pid()";
  const sampling = (async () => {
    while (!isOver) {
      const { rows } = await owner.query(text);
      held.push(rows[0].held);
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await sampling;
      return held;
    },
  };
}
