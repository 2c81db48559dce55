import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { alternate } from "./load.mjs";

const SELLERS = 200;
const TOKENS = 10_000;
const PATH = "/api/partner/v1/balance";

/** What authentication costs: GET /balance by 10,000 tokens, against the same route without authentication. */
export async function balance({ fixtures, start }, options) {
  const sellers = await fixtures.makeSellers(SELLERS);
  const tokens = await fixtures.makeTokens(sellers, TOKENS);
  const host = await start(join(root, "bench/host.mjs"));
  const open = await start(
    bundled("balance-open"),
    sellers.map(({ accountId }) => accountId),
  );
  // Both vary a header, so that the generator does the same work for both.
  const vary = (n) => ({ authorization: `Bearer ${tokens[n % tokens.length]}` });
  const subjects = { ours: { url: host.url, path: PATH, vary }, open: { url: open.url, path: PATH, vary } };
  const requests = { ours: 0, open: 0 };
  const rates = await alternate(subjects, options, async (name, run) => {
    const result = await run();
    requests[name] += result.requests;
    return result;
  });
  const rows = Object.entries(rates).map(([name, values]) => [
    name === "ours" ? "GET /balance" : "without authentication",
    median(values).toFixed(0),
  ]);
  table([["median", "requests/s"], ...rows]);
  await host.stop();
  await open.stop();
  return [
    { what: "balance over the same without authentication", value: medianRatio(rates.ours, rates.open), atLeast: 0.7 },
  ];
}
