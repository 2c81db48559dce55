import { pathToFileURL } from "node:url";
import { bundled } from "./environment.mjs";
import { median, medianRatio, table } from "./figures.mjs";
import { openTpcb } from "./tpcb.mjs";

const SENDERS = [1, 8, 32, 64];
/** No run completes more deposits a second. */
const MOST_PER_SECOND = 20_000;
const WARM_UP_SECONDS = 2;
/** How deposits are completed (`completeAll`), and the least ratio over tpcb-like. */
const OURS = {
  deposits: { together: 1, inSets: true, background: false, atLeast: 2 },
  "with the background": { together: 1, inSets: true, background: true, atLeast: 1.5 },
  "with refunds": { together: 1, inSets: true, background: false, refunds: true, atLeast: 2 },
  "with withdrawals": { together: 1, inSets: true, background: false, withdrawals: true, atLeast: 2 },
  "one by one": { together: 1, background: false, atLeast: 1 },
  "in sets of 50": { together: 50, background: false, atLeast: 2 },
};
const TPCB = "tpcb-like";
/** Cents: what the account has before, and what a deposit, a refund and a withdrawal move. */
const [FUNDED, NET, REFUNDED, WITHDRAWN] = [500_000, 9_801, 1, 1];

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
  const complete = async ({ atLeast, ...how }, senders, forSeconds) => {
    const needed = MOST_PER_SECOND * forSeconds;
    deposits.push(...(await makeDeposits(accountId, needed - deposits.length)));
    const before = deposits.length;
    const perSecond = await completeAll({ deposits, senders, seconds: forSeconds, ...how });
    completed += before - deposits.length;
    return perSecond;
  };
  const runs = {
    [TPCB]: tpcb.run,
    "one row": tpcb.runOneRow,
    ...Object.fromEntries(Object.entries(OURS).map(([name, how]) => [name, (...at) => complete(how, ...at)])),
  };
  const rates = Object.fromEntries(
    Object.keys(runs).map((name) => [name, Object.fromEntries(SENDERS.map((senders) => [senders, []]))]),
  );
  for (const run of Object.values(runs)) await run(SENDERS[1], WARM_UP_SECONDS);
  for (let round = 0; round < rounds; round++) {
    for (const senders of SENDERS) {
      for (const [name, run] of Object.entries(runs)) rates[name][senders].push(await run(senders, seconds));
    }
    console.log(`  round ${round + 1} done`);
  }
  const beside = await checkLedger(owner, accountId, completed);
  await tpcb.close();
  table([
    ["a second, median", ...SENDERS.map((senders) => `${senders} senders`)],
    ...Object.entries(rates).map(([name, bySenders]) => [
      name,
      ...SENDERS.map((senders) => median(bySenders[senders]).toFixed(0)),
    ]),
  ]);
  console.log(`  ${beside.refunds} refunds and ${beside.withdrawals} withdrawals were completed beside`);
  return Object.entries(OURS).flatMap(([name, { atLeast }]) => [
    ...SENDERS.map((senders) => ({
      what: `${name} over ${TPCB}, ${senders} senders`,
      value: medianRatio(rates[name][senders], rates[TPCB][senders]),
      atLeast,
    })),
    { what: `${name}, 64 senders over 1`, value: medianRatio(rates[name][64], rates[name][1]), atLeast: 0.9 },
  ]);
}

/**
 * Throws when the ledger has more or less than one posting for each completed deposit, refund and withdrawal, or the account
 * another balance. Returns how many refunds and withdrawals there were.
 */
async function checkLedger(owner, accountId, completed) {
  const { rows } = await owner.query(
    `select (select count(*)::int from ledger_postings where account_id = $1 and type = 'deposit_completed') as postings,
       (select count(*)::int from refunds where account_id = $1 and status = 'completed') as refunds,
       (select count(*)::int from ledger_postings where account_id = $1 and type = 'refund_completed') as returned,
       (select count(*)::int from withdrawals where account_id = $1 and status = 'paid') as withdrawals,
       (select count(*)::int from ledger_postings where account_id = $1 and type = 'withdrawal_paid') as paid,
       (select sum(amount)::float8 from ledger_entries) as total,
       (select sum(amount)::float8 from ledger_entries where account_id = $1 and kind = 'available') as available,
       (select sum(amount)::float8 from ledger_entries where account_id = $1 and kind in ('blocked', 'held')) as blocked`,
    [accountId],
  );
  const [{ postings, refunds, returned, withdrawals, paid, total, available, blocked }] = rows;
  const due = FUNDED + completed * NET - refunds * REFUNDED - withdrawals * WITHDRAWN;
  const isWhole = postings === completed && returned === refunds && paid === withdrawals;
  if (!isWhole || total !== 0 || available !== due || (blocked ?? 0) !== 0) {
    throw new Error(`Void: ${completed} deposits made ${JSON.stringify(rows[0])}, available should be ${due}`);
  }
  return { refunds, withdrawals };
}
