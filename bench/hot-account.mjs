import { pathToFileURL } from "node:url";
import { median, medianRatio, table } from "./figures.mjs";
import { bundled } from "./place.mjs";

const SENDERS = [1, 8, 32, 64];
/** Charges to begin with, for each second of a run; afterwards twice what the fastest run so far settled. */
const FIRST_PER_SECOND = 1_500;
const WARM_UP_SECONDS = 2;

/** Settlements on one account by ever more senders: a credit that waited for another would show here. */
export async function hotAccount({ owner, fixtures }, { rounds, seconds }) {
  const { makeSales, settleAll } = await import(pathToFileURL(bundled("settle")));
  const { accountId } = await fixtures.makeSeller();
  const nothing = () => Object.fromEntries(SENDERS.map((senders) => [senders, []]));
  const rates = { without: nothing(), with: nothing() };
  const runs = ["without", "with"].flatMap((relay) => SENDERS.map((senders) => ({ relay, senders })));
  const sales = [];
  let settled = 0;
  let fastest = FIRST_PER_SECOND / 2;
  const run = async ({ relay, senders }, forSeconds) => {
    sales.push(...(await makeSales(accountId, Math.ceil(2 * fastest * forSeconds) - sales.length)));
    const before = sales.length;
    const perSecond = await settleAll({ sales, senders, seconds: forSeconds, relay: relay === "with" });
    settled += before - sales.length;
    fastest = Math.max(fastest, perSecond);
    return perSecond;
  };
  await run(runs[1], WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const one of runs) rates[one.relay][one.senders].push(await run(one, seconds));
    console.log(`  round ${round + 1} done`);
  }
  await checkBooks(owner, accountId, settled);
  table([
    ["settlements/s, median", ...SENDERS.map((senders) => `${senders} senders`)],
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

/** Every settlement posted once, and nothing else: else the figures are void. */
async function checkBooks(owner, accountId, settled) {
  const { rows } = await owner.query(
    `select count(*)::int as postings, (select sum(amount) from ledger_entries) as total
     from ledger_postings where account_id = $1 and type = 'deposit_completed'`,
    [accountId],
  );
  const [{ postings, total }] = rows;
  if (postings !== settled || Number(total) !== 0) {
    throw new Error(`Void: ${settled} settlements made ${postings} postings; all entries sum to ${total}`);
  }
}
