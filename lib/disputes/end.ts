import type { Query } from "@/lib/db";
import { disputeNoun } from "@/lib/disputes/noun";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { move } from "@/lib/move";
import { mayCrash } from "@/lib/process/crash-points";
import type { ReportedDispute } from "@/lib/rails/disputes";
import { partsOf } from "@/lib/reversals/part";
import { type Kept, readKept } from "@/lib/reversals/used";
import type { Share } from "@/lib/splits/share";
import { moveSales, refundPart } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";
import type { Dispute } from "@/prisma/client/client";

type Part = { id: string; shareId: string; recipientId: string; amount: number; isHeld: boolean };
type Ending = { dispute: Dispute; sale: Sale; shares: readonly Share[] };

/** How a provider's word for the end moves a dispute. */
const transitions = { won: "win", lost: "lose", cancelled: "cancel" } as const;

/**
 * Ends a dispute as its provider reports, with its sale and itself locked. Won or cancelled, all that is blocked goes back where it
 * came from. Lost, what was lost leaves for the provider, also where that is more than was disputed, recipients give back their parts,
 * and the rest goes back; what was never blocked is taken from what is available, which may fall below zero. Every account of the sale must be in scope.
 */
export async function endDispute(query: Query, ending: Ending, reported: ReportedDispute): Promise<void> {
  const { dispute, sale } = ending;
  const { accountId, id } = dispute;
  if (reported.status === "open") throw new Error(`${id} has not ended`);
  const parts = await query<Part>("dispute_parts", PARTS, [accountId, id]);
  const kept = await readKept(query, sale, id);
  const left = Number(sale.amount - sale.refundedAmount) - kept.underWay;
  const lost = reported.status === "lost" ? Math.min(left, reported.lostAmount) : 0;
  if (lost < reported.lostAmount) log.error({ accountId, id, left }, "a provider took more than is left of a sale");
  const returned = returnedOf(ending, parts, lost, kept);
  const posts = postsOf(ending, parts, returned, lost);
  if (posts.short > 0) await query("dispute_blocks_insert", INSERT_BLOCK, [accountId, posts.blockId, id, posts.short]);
  const facts = { pending: posts.pending, lost };
  const [moved] = await move(query, disputeNoun, transitions[reported.status], [
    { accountId, id, facts, posts: posts.facts },
  ]);
  if (!moved) throw new Error(`${id} was not open`);
  await query("dispute_shares_returned", RETURNED, [
    accountId,
    JSON.stringify(parts.map(({ id }, at) => ({ id, returned: returned[at] }))),
  ]);
  await query("dispute_files_ended", FILES_ENDED, [accountId, id]);
  await endOfSale(query, sale, lost);
  mayCrash("dispute.ended");
}

/** What each part gives back of what is lost; of a held one no more than it holds. */
function returnedOf({ sale, shares }: Ending, parts: readonly Part[], lost: number, { underWay, shares: kept }: Kept) {
  if (lost === 0) return parts.map(() => 0);
  const held = parts.some(({ isHeld }) => isHeld);
  const atMost = held ? new Map(shares.map(({ id }) => [id, amountOf(parts, id)])) : undefined;
  const cut = {
    shares,
    gross: Number(sale.amount),
    before: Number(sale.refundedAmount) + underWay,
    amount: lost,
    kept,
  };
  const all = partsOf({ ...cut, ...(atMost && { atMost }) });
  return parts.map(({ shareId }) => all[shares.findIndex(({ id }) => id === shareId)] ?? 0);
}

const amountOf = (parts: readonly Part[], shareId: string) =>
  parts.find((part) => part.shareId === shareId)?.amount ?? 0;

/** The facts to post, what is kept of the sale's own unsettled money, and what is blocked only now because the balance was short. */
function postsOf({ dispute }: Ending, parts: readonly Part[], returned: readonly number[], lost: number) {
  const { accountId: account, id, mode, method, provider: rail } = dispute;
  const [blocked, ofPending] = [Number(dispute.blockedAmount), Number(dispute.pendingAmount)];
  const heldBack = parts.reduce((sum, { isHeld }, at) => sum + (isHeld ? (returned[at] ?? 0) : 0), 0);
  const own = lost - heldBack;
  const short = Math.max(0, own - blocked);
  const pending = Math.min(ofPending, own);
  const released = { pending: ofPending - pending, rest: blocked + short - own - (ofPending - pending) };
  const blockId = newId();
  const facts: Fact[] = [];
  const owners = { account };
  if (short > 0)
    facts.push({ type: "dispute_opened", sourceId: blockId, owners, amounts: { rest: short, pending: 0 } });
  facts.push(...parts.flatMap((part, at) => factsOfPart(account, part, returned[at] ?? 0)));
  if (lost > 0) {
    const type = methods[method].postings.disputeLost;
    facts.push({ type, sourceId: id, owners: { account, platform: platforms[mode], rail }, amounts: { amount: lost } });
    const fee = Number(dispute.fee);
    if (fee > 0)
      facts.push({
        type: "chargeback_fee",
        sourceId: id,
        owners: { account, platform: platforms[mode] },
        amounts: { fee },
      });
  }
  if (released.pending + released.rest > 0)
    facts.push({ type: "dispute_won", sourceId: id, owners, amounts: released });
  return { facts, pending, short, blockId };
}

/** A held part goes back to the payer with what was blocked, and the rest of it to its recipient's unsettled money. */
function factsOfPart(
  account: string,
  { id: sourceId, recipientId: recipient, amount, isHeld }: Part,
  share: number,
): Fact[] {
  const owners = { account, recipient };
  if (!isHeld) return share > 0 ? [{ type: "share_returned", sourceId, owners, amounts: { share } }] : [];
  const facts: Fact[] = [];
  if (share > 0) facts.push({ type: "held_share_returned", sourceId, owners, amounts: { share } });
  const pending = amount - share;
  if (pending > 0)
    facts.push({ type: "share_released", sourceId, owners: { recipient }, amounts: { settled: 0, pending } });
  return facts;
}

/** A sale of which nothing is left is what its method calls that; any other goes on as a completed one. */
async function endOfSale(query: Query, sale: Sale, lost: number): Promise<void> {
  const key = { accountId: sale.accountId, id: sale.id };
  const change = { ...key, refunded: lost, lost };
  if (lost > 0 && sale.refundedAmount + BigInt(lost) === sale.amount) {
    return expectMoved(await moveSales(query, methods[sale.method].lostBy, [change]));
  }
  if (lost > 0) await refundPart(query, [change]);
  return expectMoved(await moveSales(query, "win", [key]));
}

function expectMoved(moved: readonly unknown[]): void {
  if (moved.length === 0) throw new Error("A sale whose dispute ended was not disputed");
}

const PARTS = `select id, share_id as "shareId", recipient_id as "recipientId", amount::float8 as amount, is_held as "isHeld"
  from dispute_shares where account_id = $1::uuid and dispute_id = $2::uuid order by id`;

const RETURNED = `update dispute_shares p set returned = given.returned
  from json_to_recordset($2::json) as given(id uuid, returned bigint) where p.account_id = $1::uuid and p.id = given.id`;

/** From now on its evidence is kept as long as the retention says (`lib/privacy/retention.ts`). */
const FILES_ENDED = `update dispute_files set dispute_ended_at = now() where account_id = $1::uuid and dispute_id = $2::uuid`;

const INSERT_BLOCK = `insert into dispute_blocks (account_id, id, dispute_id, amount) values ($1::uuid, $2::uuid, $3::uuid, $4)`;
