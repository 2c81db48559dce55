import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { alternate } from "./load.mjs";

const SELLERS = 200;
const TOKENS = 10_000;
const PATH = "/api/partner/v1/balance";

/**
 * What authentication costs: GET /balance by 10,000 tokens, against the same route without authentication, and against
 * Fastify that finds token and balance by one statement.
 */
export async function balance({ fixtures, start }, options) {
  const sellers = await fixtures.makeSellers(SELLERS);
  const tokens = await fixtures.makeTokens(sellers, TOKENS);
  const programs = {
    "GET /balance": await start(join(root, "bench/host.mjs")),
    peer: await start(bundled("balance-peer")),
    "without authentication": await start(
      bundled("balance-open"),
      sellers.map(({ accountId }) => accountId),
    ),
  };
  // All vary a header, so that the generator does the same work for all.
  const vary = (n) => ({ authorization: `Bearer ${tokens[n % tokens.length]}` });
  const subjects = Object.fromEntries(
    Object.entries(programs).map(([name, { url }]) => [name, { url, path: PATH, vary }]),
  );
  const cpu = Object.fromEntries(Object.keys(programs).map((name) => [name, []]));
  const rates = await alternate(subjects, options, async (name, run) => {
    await programs[name].ask();
    const result = await run();
    const { cpuMs } = await programs[name].ask();
    cpu[name].push(cpuMs / result.requests);
    return result;
  });
  for (const { stop } of Object.values(programs)) await stop();
  table([
    ["median", "requests/s", "CPU ms"],
    ...Object.entries(rates).map(([name, values]) => [name, median(values).toFixed(0), median(cpu[name]).toFixed(3)]),
  ]);
  const ours = rates["GET /balance"];
  return [
    {
      what: "balance over the same without authentication",
      value: medianRatio(ours, rates["without authentication"]),
      atLeast: 0.7,
    },
    { what: "balance over Fastify and one statement", value: medianRatio(ours, rates.peer), atLeast: 0.7 },
  ];
}
