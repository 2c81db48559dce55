import { actAs } from "@/lib/actor";
import { payCycles, whyClosed } from "@/lib/billing/pay-cycles";
import type { Row } from "@/lib/database/json-rows";
import { type Query, runPrepared, SCOPE_OF_ALL, transactionFor, transactionOverAll } from "@/lib/db";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { askDue, type WatchKind } from "@/lib/outside/watch";
import { askRail } from "@/lib/rails/pix/ask";
import { modeOf, railNamed } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { completionOf } from "@/lib/splits/postings";
import type { Share } from "@/lib/splits/share";
import { moveSales, moveSalesNow } from "@/lib/transactions/move";
import { isByOther } from "@/lib/transactions/payer";
import { lockSale, type Sale, saleOf } from "@/lib/transactions/sale";
import { mayMove } from "@/lib/transactions/states";
import { receiveUnmatched } from "@/lib/unmatched/receive";
import type { UnmatchedReason } from "@/lib/unmatched/states";
import type { Mode, PayerPolicy } from "@/prisma/client/enums";

/**
 * The watch over payments that rails received, by their end-to-end id. What pays an open deposit to the cent completes it;
 * money that pays no deposit of ours is recorded for the operator and posted to `unmatched`. A payment that the rail does not know
 * yet, or about which it does not answer, is asked about again later.
 */
export const paymentWatch: WatchKind<Receipt> = {
  name: "payment",

  async read(provider, payments) {
    const rail = railNamed(provider);
    if (!rail) throw new Error(`No rail is named ${provider}`);
    return askRail(rail, payments);
  },

  async write(provider, receipts) {
    const over = await completeSome(provider, [...receipts.values()]);
    return new Map(over.map((endToEndId) => [endToEndId, "over"]));
  },
};

/** Asks about the payments that are due, without waiting for the loop. Returns whether more may be due. */
export const completeDuePayments = () => askDue([paymentWatch]);

/** Completes what receipts pay in one set or, when that fails, each alone. Returns the ids of those that are over. */
async function completeSome(provider: string, receipts: readonly Receipt[]): Promise<string[]> {
  const over = await complete(provider, receipts).catch((error) => {
    log.warn({ provider, error }, "payments were not completed together");
    return undefined;
  });
  if (over) return over;
  const alone = receipts.map((receipt) =>
    complete(provider, [receipt]).catch((error) => {
      log.error({ provider, endToEndId: receipt.endToEndId, error }, "a payment was not completed");
      return [];
    }),
  );
  return (await Promise.all(alone)).flat();
}

/**
 * Completes what one payment pays, as `paymentWatch` does. Safe to run any number of times and twice at once.
 * Throws when the rail does not answer or does not know the payment.
 */
export async function completeDeposit({ provider, endToEndId }: { provider: string; endToEndId: string }) {
  const rail = railNamed(provider);
  if (!rail) throw new Error(`No rail is named ${provider}`);
  const receipt = await rail.received(endToEndId);
  if (!receipt) throw new Error(`${provider} does not know ${endToEndId}`);
  await complete(provider, [receipt]);
}

/** What a payment pays, as far as we know: the sale of its code, and the mode of the sale's account. */
export type Match = { sale: Sale; shares: readonly Share[]; mode: Mode; provider: string; receipt: Receipt };
type Found = Omit<Match, "receipt" | "provider"> & { policy: PayerPolicy };
/** A payment that completed no sale, and why. */
type Note = { receipt: Receipt; reason: UnmatchedReason };

/**
 * Completes the sales that these receipts pay, and notes the other receipts. Returns the ids of all but those whose sale
 * is still open, which must be asked about again.
 */
const complete = (provider: string, receipts: readonly Receipt[]): Promise<string[]> =>
  actAs({ kind: "rail", id: provider }, () => completeSet(provider, receipts));

async function completeSet(provider: string, receipts: readonly Receipt[]): Promise<string[]> {
  const found = await findByTxid(receipts);
  const notes: Note[] = [];
  const matches: Match[] = [];
  for (const receipt of receipts) {
    const match = judge(provider, receipt, found.get(receipt.txid));
    if (typeof match === "string") notes.push({ receipt, reason: match });
    else matches.push(match);
  }
  const applied = await applyReceipts(matches);
  const others = matches.flatMap(({ receipt }) => (applied.has(receipt.endToEndId) ? [] : [receipt]));
  const paid = await findByTxid(others);
  const noted = await findNoted(provider, others);
  const open = new Set<Receipt>();
  for (const receipt of others) {
    const sale = paid.get(receipt.txid)?.sale;
    if (sale?.endToEndId === receipt.endToEndId) continue; // by another run
    if (noted.has(receipt.endToEndId)) continue; // as unmatched, when it paid nothing
    const closed = sale?.cycleId && (await whyClosed(sale));
    if (closed) notes.push({ receipt, reason: closed });
    else if (!sale || mayMove("pay", sale)) open.add(receipt);
    else notes.push({ receipt, reason: "already_paid" });
  }
  if (notes.length > 0) {
    await receive(provider, notes, found);
  }
  return receipts.filter((receipt) => !open.has(receipt)).map(({ endToEndId }) => endToEndId);
}

/** Of these receipts, the end-to-end ids of those that are recorded as unmatched money. */
async function findNoted(provider: string, receipts: readonly Receipt[]): Promise<Set<string>> {
  if (receipts.length === 0) return new Set();
  const ids = receipts.map(({ endToEndId }) => endToEndId);
  const rows = await runPrepared<{ id: string }>("unmatched_noted", NOTED, [provider, ids]);
  return new Set(rows.map(({ id }) => id));
}

const NOTED = `with ${SCOPE_OF_ALL}
  select u.end_to_end_id as id from (select one from scope cross join unnest($2::text[]) as one offset 0) r
  cross join lateral (
    select end_to_end_id from unmatched_receipts where provider = $1 and end_to_end_id = r.one offset 0
  ) u`;

/** Records what belongs to no open deposit, and posts it to the platform. A sale of another mode is not what it was for. */
async function receive(provider: string, notes: readonly Note[], found: ReadonlyMap<string, Found>): Promise<void> {
  const mode = modeOf(provider);
  const received = notes.map(({ receipt: { endToEndId, txid, amount, payer, paidAt: receivedAt }, reason }) => {
    const named = found.get(txid);
    const sale = named?.mode === mode && named.sale.method === "pix" ? named.sale : undefined;
    return { provider, endToEndId, txid, amount, reason, mode, method: "pix", sale, payer, receivedAt } as const;
  });
  if (mode === "live") {
    for (const { payer: _, sale, ...one } of received) {
      log.error({ ...one, transactionId: sale?.id }, "money belongs to no open sale");
    }
  }
  const accounts = received.flatMap(({ sale }) => sale?.accountId ?? []);
  await transactionFor([platforms[mode], ...new Set(accounts)], async (query) => {
    const paying = await lockPaid(
      query,
      received.flatMap(({ sale }) => sale ?? []),
    );
    const unpaying = received.filter(({ endToEndId }) => !paying.has(endToEndId));
    if (unpaying.length > 0) await receiveUnmatched(query, unpaying);
  });
}

/** Locks sales, so that nothing pays them meanwhile. Returns the end-to-end ids of the payments that paid them before. */
async function lockPaid(query: Query, sales: readonly Sale[]): Promise<Set<string>> {
  const inOrder = [...new Map(sales.map((sale) => [`${sale.accountId} ${sale.id}`, sale]))].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  const paid = new Set<string>();
  for (const [, sale] of inOrder) {
    const { endToEndId } = (await lockSale(query, sale)) ?? {};
    if (endToEndId) paid.add(endToEndId);
  }
  return paid;
}

/** The sale that a receipt pays to the cent, or why it pays none. */
function judge(provider: string, receipt: Receipt, found: Found | undefined): Match | UnmatchedReason {
  if (found?.sale.method !== "pix") return "unknown_txid";
  const { sale, shares, mode, policy } = found;
  if (modeOf(provider) !== mode || (sale.provider ?? provider) !== provider) return "another_rail";
  if (sale.amount !== BigInt(receipt.amount)) return "amount_differs";
  if (policy === "return" && isByOther(sale, receipt.payer)) return "payer_differs";
  return { sale, shares, mode, provider, receipt };
}

/**
 * Completes sales and posts their money, together. Of two payments of one sale the earlier counts. Returns the
 * end-to-end ids of the payments that completed a sale.
 */
export async function applyReceipts(matches: readonly Match[]): Promise<Set<string>> {
  const latestFirst = [...matches].sort((a, b) => b.receipt.paidAt.getTime() - a.receipt.paidAt.getTime());
  const firsts = new Map(latestFirst.map((match) => [match.sale.id, match]));
  const [ofCycles, others] = partition([...firsts.values()], ({ sale }) => sale.cycleId !== null);
  const moved = await moveSalesNow("pay", others.map(moveOf));
  const paid = ofCycles.length > 0 ? await transactionOverAll((query) => payBySales(query, ofCycles)) : [];
  return new Set([...moved, ...paid].map(({ sale }) => sale.endToEndId ?? ""));
}

const moveOf = ({ sale, shares, mode, provider, receipt: { paidAt, endToEndId, payer } }: Match) => {
  const { accountId, id } = sale;
  return {
    accountId,
    id,
    paidAt,
    endToEndId,
    provider,
    payer,
    posts: completionOf({ ...sale, mode, provider }, shares),
  };
};

/** Completes sales that pay cycles of subscriptions. Of two sales of one cycle the earlier payment counts. */
function payBySales(query: Query, matches: readonly Match[]) {
  const bySale = new Map(matches.map((match) => [match.sale.id, match]));
  const earliestFirst = matches.map(({ sale }) => sale).reverse();
  return payCycles(query, earliestFirst, (sales) =>
    moveSales(query, "pay", sales.flatMap(({ id }) => bySale.get(id) ?? []).map(moveOf)),
  );
}

function partition<T>(all: readonly T[], isFirst: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}

/** The sales of these receipts' codes, of whatever account, by txid. */
async function findByTxid(receipts: readonly Receipt[]): Promise<Map<string, Found>> {
  if (receipts.length === 0) return new Map();
  const txids = receipts.map(({ txid }) => txid);
  const rows = await runPrepared<Omit<Found, "sale"> & { sale: Row }>("sales_by_txid", FIND, [txids]);
  return new Map(
    rows.map(({ sale: row, ...rest }) => {
      const sale = saleOf(row);
      return [sale.txid ?? "", { sale, ...rest }];
    }),
  );
}

/** Each table is read by its key for each code, whatever the planner expects. */
const FIND = `with ${SCOPE_OF_ALL}
  select to_jsonb(t) as sale, a.mode, a.payer_policy as policy, s.shares
  from (select distinct txid from scope cross join unnest($1::text[]) as code(txid) offset 0) c
  cross join lateral (select * from transactions where txid = c.txid offset 0) t
  cross join lateral (select mode, payer_policy from accounts where id = t.account_id offset 0) a
  cross join lateral (
    select coalesce(json_agg(json_build_object('id', id, 'recipientId', recipient_id, 'name', name,
      'basisPoints', basis_points, 'amount', amount) order by place), '[]') as shares
    from shares where transaction_id = t.id offset 0
  ) s`;
