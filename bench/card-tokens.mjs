import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { root } from "../bin/settings.mjs";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { alternate } from "./load.mjs";

const KEYS = 1_000;
const ORIGIN = "https://loja.example";
const PATH = "/api/public/v1/card-tokens";
const BODY = JSON.stringify({
  card: {
    number: "4111 1111 1111 1111",
    holder_name: "ANA SOUZA",
    expiry_month: "12",
    expiry_year: "2039",
    cvv: "123",
  },
});
/** One request in so many comes from a crowded place, which calls too often: an address with one key. */
const CROWDED_EVERY = 100;
const CROWDED = 10;
/** The limits of the public route: in any 60 s, of one key from one address, and of one address. */
const LIMITS = { pair: 20, address: 60 };

/** Public tokenization of 1,000 keys, a new address for each request, against one INSERT in Fastify. */
export async function cardTokens({ owner, fixtures, start }, options) {
  const keys = (await fixtures.makeShops(KEYS)).map(({ key }) => key);
  const programs = {
    ours: await start(join(root, "bench/host.mjs"), [], { TRUSTED_PROXIES: "1" }),
    peer: await start(bundled("card-tokens-peer")),
  };
  const subject = ({ url }) => ({
    url,
    path: PATH,
    method: "POST",
    body: BODY,
    headers: { "content-type": "application/json", origin: ORIGIN },
    vary: (n) => placeOf(n, keys),
    good: 201,
    apart: 429,
  });
  const measured = { ours: [], peer: [] };
  const rates = await alternate(
    { ours: subject(programs.ours), peer: subject(programs.peer) },
    options,
    async (name, run) => {
      await owner.query("checkpoint");
      await programs[name].ask();
      const result = await run();
      measured[name].push({ ...result, ...(await programs[name].ask()) });
      return result;
    },
  );
  for (const { stop } of Object.values(programs)) await stop();
  print(rates, measured);
  const over = await overAdmissions(owner, measured.ours);
  const aims = [
    {
      what: "public card tokens over Fastify and one INSERT",
      value: medianRatio(rates.ours, rates.peer),
      atLeast: 0.7,
    },
  ];
  if (over === undefined) console.log("  no limit reached: only longer runs show whether a limit holds");
  else aims.push({ what: "admitted past a limit", value: over, atMost: 0, digits: 0 });
  return aims;
}

/** The headers of a caller: one of the crowded places now and then, else a new address. */
function placeOf(n, keys) {
  const isCrowded = n % CROWDED_EVERY === 0;
  const at = isCrowded ? (n / CROWDED_EVERY) % CROWDED : n % keys.length;
  const address = isCrowded ? `192.0.2.${at}` : [10, ...randomBytes(3)].join(".");
  return { "x-public-key": keys[at], "x-forwarded-for": address };
}

/**
 * How many tokens were given past a limit, by the request log. The log must hold every answer that was counted.
 * Undefined when no limit was reached, as in short runs.
 */
async function overAdmissions(owner, runs) {
  const { rows } = await owner.query(
    `with counted as (
       select count(*) over (partition by account_id, ip order by created_at
           range between interval '60 seconds' preceding and current row) as of_pair,
         count(*) over (partition by ip order by created_at
           range between interval '60 seconds' preceding and current row) as of_address
       from request_log where path = $1 and status = 201
     )
     select count(*)::int as given, count(*) filter (where of_pair > $2 or of_address > $3)::int as over,
       max(of_pair)::int as largest
     from counted`,
    [PATH, LIMITS.pair, LIMITS.address],
  );
  const [{ given, over, largest }] = rows;
  const [counted, refused] = ["requests", "apart"].map((name) => runs.reduce((sum, run) => sum + run[name], 0));
  console.log(
    `  ${given} tokens given, ${refused} calls refused with 429; largest count of one key and address in 60 s: ${largest}`,
  );
  if (given < counted) throw new Error(`Void: ${counted} tokens were answered, the log has ${given}`);
  return largest < LIMITS.pair || refused === 0 ? undefined : over;
}

function print(rates, measured) {
  const of = (name, figure) => median(measured[name].map(figure));
  const sent = ({ statements }) => Object.values(statements).reduce((sum, count) => sum + count, 0);
  const all = ({ requests, apart }) => requests + apart;
  table([
    ["median", "201s/s", "429s/s", "p99 ms", "statements", "CPU ms"],
    ...Object.entries(rates).map(([name, values]) => [
      name,
      median(values).toFixed(0),
      of(name, ({ apart, requests, perSecond }) => (apart * perSecond) / requests).toFixed(1),
      of(name, ({ p99 }) => p99).toFixed(0),
      of(name, (note) => sent(note) / all(note)).toFixed(2),
      of(name, (note) => note.cpuMs / all(note)).toFixed(3),
    ]),
  ]);
}
