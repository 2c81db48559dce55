import { pathToFileURL } from "node:url";
import { bundled } from "./environment.mjs";
import { table } from "./figures.mjs";

const CYCLES = 1_000_000;
const SELLERS = 20;
/** How far the purge's clock runs ahead, so that everything is over. */
const AHEAD = "500 days";
const MB = 1024 * 1024;
/** What lives for seconds; all else is purged by its age or kept. */
const QUEUES = ["outbox", "ledger_tail"];

const SIZES = `select relname as name, pg_total_relation_size(oid)::float8 as bytes from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'`;

/** Whole cycles without HTTP, a purge of all that they left, and as many cycles again: what each table grows to. */
export async function churn({ owner }, { rows = CYCLES }) {
  const { makeSellers, purges, runCycles } = await import(pathToFileURL(bundled("churn-cycles")));
  const sellers = await makeSellers(SELLERS);
  const half = Math.ceil(rows / 2);
  const sizes = async () => new Map((await owner.query(SIZES)).rows.map(({ name, bytes }) => [name, bytes]));
  const cycles = async () => {
    const began = performance.now();
    await runCycles(sellers, half);
    return half / ((performance.now() - began) / 1_000);
  };
  const before = await sizes();
  const rates = [await cycles()];
  const grown = await sizes();
  const purged = await purgeAll(owner, purges());
  const emptied = await sizes();
  rates.push(await cycles());
  const again = await sizes();
  const names = [...again.keys()].filter((name) => again.get(name) - (before.get(name) ?? 0) > MB || purged[name] > 0);
  const mb = (of, name) => ((of.get(name) ?? 0) / MB).toFixed(1);
  table([
    ["MB, with indexes", "before", `${half} cycles`, "purged", `${half} more`, "rows purged", "a second"],
    ...names.map((name) => [
      ...[name, ...[before, grown, emptied, again].map((of) => mb(of, name))],
      ...[purged[name]?.rows ?? "", purged[name] ? (purged[name].rows / purged[name].seconds).toFixed(0) : ""],
    ]),
  ]);
  console.log(`  cycles/s: ${rates.map((rate) => rate.toFixed(0)).join(", then ")}`);
  const purgedNames = names.filter((name) => purged[name]?.rows > 0);
  const sum = (of) => purgedNames.reduce((total, name) => total + of.get(name), 0);
  return [
    {
      what: "what is purged, after as many cycles again, over its first size",
      value: sum(again) / sum(grown),
      atMost: 1.2,
    },
    ...QUEUES.map((name) => ({ what: `MB of ${name} after all`, value: again.get(name) / MB, atMost: 20 })),
  ];
}

/** Runs the product's own purges under a clock that is ahead, and then vacuum, as a worker and autovacuum do in time. */
async function purgeAll(owner, purges) {
  await owner.query(`create schema ahead; create function ahead.now() returns timestamptz language sql stable
    as $$ select pg_catalog.now() + interval '${AHEAD}' $$; set search_path = ahead, pg_catalog, public`);
  const purged = {};
  for (const { table: name, text } of purges) {
    const began = performance.now();
    let rows = 0;
    for (let gone = -1; gone !== 0; rows += gone) gone = (await owner.query(text)).rows[0].gone;
    purged[name] = { rows, seconds: (performance.now() - began) / 1_000 };
  }
  await owner.query("reset search_path");
  await owner.query("drop schema ahead cascade");
  await owner.query("vacuum");
  return purged;
}
