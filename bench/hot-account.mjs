import { pathToFileURL } from "node:url";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { openTpcb } from "./tpcb.mjs";

const SENDERS = [1, 8, 32, 64];
/** Deposits for each second of the first run. A later run gets twice what the fastest run so far completed. */
const FIRST_PER_SECOND = 1_500;
const WARM_UP_SECONDS = 2;
/** Our deposits without and with a worker's relay and fold beside them, and the least ratio over tpcb-like. */
const ASKED = { "without the relay": 2, "with the relay": 1.5 };
const TPCB = "tpcb-like";

/**
 * Deposits of one account, completed by more and more senders, against pgbench's tpcb-like. A credit that waits for
 * another would show here.
 */
export async function hotAccount({ owner, ownerUrl, fixtures }, { rounds, seconds }) {
  const { makeDeposits, completeAll, connections } = await import(pathToFileURL(bundled("complete-deposits")));
  const { accountId } = await fixtures.makeSeller();
  const tpcb = await openTpcb({ owner, ownerUrl }, connections());
  const deposits = [];
  let completed = 0;
  let fastest = FIRST_PER_SECOND / 2;
  const complete = async (relay, senders, forSeconds) => {
    deposits.push(...(await makeDeposits(accountId, Math.ceil(2 * fastest * forSeconds) - deposits.length)));
    const before = deposits.length;
    const perSecond = await completeAll({ deposits, senders, seconds: forSeconds, relay });
    completed += before - deposits.length;
    fastest = Math.max(fastest, perSecond);
    return perSecond;
  };
  const subjects = {
    "without the relay": (...how) => complete(false, ...how),
    [TPCB]: tpcb.run,
    "with the relay": (...how) => complete(true, ...how),
  };
  const rates = Object.fromEntries(
    Object.keys(subjects).map((name) => [name, Object.fromEntries(SENDERS.map((senders) => [senders, []]))]),
  );
  for (const run of Object.values(subjects)) await run(SENDERS[1], WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const senders of SENDERS) {
      for (const [name, run] of Object.entries(subjects)) rates[name][senders].push(await run(senders, seconds));
    }
    console.log(`  round ${round + 1} done`);
  }
  await checkLedger(owner, accountId, completed);
  await tpcb.close();
  table([
    ["a second, median", ...SENDERS.map((senders) => `${senders} senders`)],
    ...Object.entries(rates).map(([name, bySenders]) => [
      name,
      ...SENDERS.map((senders) => median(bySenders[senders]).toFixed(0)),
    ]),
  ]);
  return Object.entries(ASKED).flatMap(([name, atLeast]) => [
    ...SENDERS.map((senders) => ({
      what: `deposits over ${TPCB}, ${senders} senders, ${name}`,
      value: medianRatio(rates[name][senders], rates[TPCB][senders]),
      atLeast,
    })),
    { what: `64 senders over 1, ${name}`, value: medianRatio(rates[name][64], rates[name][1]), atLeast: 0.9 },
  ]);
}

/** Throws when the ledger has more or less than one posting for each completed deposit. */
async function checkLedger(owner, accountId, completed) {
  const { rows } = await owner.query(
    `select count(*)::int as postings, (select sum(amount) from ledger_entries) as total
     from ledger_postings where account_id = $1 and type = 'deposit_completed'`,
    [accountId],
  );
  const [{ postings, total }] = rows;
  if (postings !== completed || Number(total) !== 0) {
    throw new Error(`Void: ${completed} deposits made ${postings} postings; all entries sum to ${total}`);
  }
}
