import { pathToFileURL } from "node:url";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";

const SENDERS = [1, 8, 32, 64];
/** Deposits for each second of the first run. A later run gets twice what the fastest run so far completed. */
const FIRST_PER_SECOND = 1_500;
const WARM_UP_SECONDS = 2;

/** Deposits of one account, completed by more and more senders. A credit that waits for another would show here. */
export async function hotAccount({ owner, fixtures }, { rounds, seconds }) {
  const { makeDeposits, completeAll } = await import(pathToFileURL(bundled("complete-deposits")));
  const { accountId } = await fixtures.makeSeller();
  const nothing = () => Object.fromEntries(SENDERS.map((senders) => [senders, []]));
  const rates = { without: nothing(), with: nothing() };
  const runs = ["without", "with"].flatMap((relay) => SENDERS.map((senders) => ({ relay, senders })));
  const deposits = [];
  let completed = 0;
  let fastest = FIRST_PER_SECOND / 2;
  const run = async ({ relay, senders }, forSeconds) => {
    deposits.push(...(await makeDeposits(accountId, Math.ceil(2 * fastest * forSeconds) - deposits.length)));
    const before = deposits.length;
    const perSecond = await completeAll({ deposits, senders, seconds: forSeconds, relay: relay === "with" });
    completed += before - deposits.length;
    fastest = Math.max(fastest, perSecond);
    return perSecond;
  };
  await run(runs[1], WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const next of runs) rates[next.relay][next.senders].push(await run(next, seconds));
    console.log(`  round ${round + 1} done`);
  }
  await checkLedger(owner, accountId, completed);
  table([
    ["deposits/s, median", ...SENDERS.map((senders) => `${senders} senders`)],
    ...Object.entries(rates).map(([relay, bySenders]) => [
      `${relay} the relay`,
      ...SENDERS.map((senders) => median(bySenders[senders]).toFixed(0)),
    ]),
  ]);
  return Object.entries(rates).map(([relay, bySenders]) => ({
    what: `64 senders over 1, ${relay} the relay,`,
    value: medianRatio(bySenders[64], bySenders[1]),
    atLeast: 0.9,
  }));
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
