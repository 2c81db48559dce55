import type { Query } from "@/lib/db";
import { disputeNoun } from "@/lib/disputes/noun";
import { newDispute } from "@/lib/disputes/record";
import { newId } from "@/lib/ids";
import { lockAvailable } from "@/lib/ledger/balance";
import type { Fact } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { begin } from "@/lib/move";
import { watch } from "@/lib/outside/watch";
import { mayCrash } from "@/lib/process/crash-points";
import type { ReportedDispute } from "@/lib/rails/disputes";
import { stopRefund } from "@/lib/refunds/stop";
import { partsOf } from "@/lib/reversals/part";
import { readKept, readUsed } from "@/lib/reversals/used";
import { restOf, type Share } from "@/lib/splits/share";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow, realNow } from "@/lib/time/clock";
import { moveSales } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";
import { mayMove } from "@/lib/transactions/states";
import type { Mode } from "@/prisma/client/enums";

/** How long a dispute can be defended. */
const DEFENCE_MS = 7 * DAY_MS;
/** How long before the deadline its seller is reminded, the first first. */
export const REMINDERS_MS = [48, 24, 6].map((hours) => hours * 3_600_000);
/** How soon its provider is asked what became of it, in real time, where no callback says so before. */
const ASK_AFTER_MS = 60_000;
/** How soon the balance is looked at again for what could not be blocked. */
export const BLOCK_AGAIN_MS = 10_000;

/** A locked sale that is disputed, with what its account says. */
export type Disputed = {
  sale: Sale;
  shares: readonly Share[];
  mode: Mode;
  clockOffsetMs: bigint;
  chargebackFee: number;
};

/** Who reports a dispute: a provider's own id of it is of one kind of watch. */
export type Reporter = { provider: string; kind: string };

/**
 * Opens a dispute that a provider reports, of a sale that is locked: a refund that its rail was not asked for stops, and what is
 * disputed is blocked as far as the money is there, of an unsettled sale its own money first. What recipients have of an unsettled
 * sale is held. Resolves to its id; to null where nothing of the sale is left, and to undefined where it cannot be opened now: another one of the sale is
 * open, a refund of all of it is under way, or its payment is not here yet.
 */
export async function openDispute(
  query: Query,
  { sale, shares, mode, clockOffsetMs, chargebackFee }: Disputed,
  reported: ReportedDispute,
  { provider, kind }: Reporter,
): Promise<string | null | undefined> {
  const { accountId, id: transactionId, method } = sale;
  if (sale.refundedAmount === sale.amount) return null;
  if (!mayMove("dispute", sale)) return undefined;
  await stopRefund(query, accountId, transactionId);
  const { underWay, shares: kept } = await readKept(query, sale, null);
  const left = Number(sale.amount - sale.refundedAmount) - underWay;
  const amount = Math.min(reported.amount, left);
  if (amount < reported.amount) log.warn({ accountId, transactionId, left }, "more is disputed than is left of a sale");
  if (amount <= 0) return undefined;
  const isPending = methods[method].settlementDays !== null && sale.settledAt === null;
  const gross = Number(sale.amount);
  const cut = { shares, gross, before: Number(sale.refundedAmount) + underWay, amount, kept };
  const parts = partsOf(cut).flatMap((part, place) => {
    const share = shares[place] as Share;
    return part === 0
      ? []
      : [{ id: newId(), shareId: share.id, recipientId: share.recipientId, amount: part, isHeld: isPending }];
  });
  const heldShares = isPending ? parts.reduce((sum, part) => sum + part.amount, 0) : 0;
  const own = amount - heldShares;
  const used = isPending ? ((await readUsed(query, [sale])).get(transactionId) ?? 0) : 0;
  const pending = isPending ? Math.min(own, restOf(sale.net, shares) - used) : 0;
  const available = Math.max(0, await lockAvailable(query, accountId));
  const rest = Math.min(own - pending, available);
  const now = businessNow({ clockOffsetMs });
  const id = newId(now);
  const deadline = new Date(now.getTime() + DEFENCE_MS);
  const isShort = pending + rest < own;
  const row = newDispute({
    ...{ accountId, id, mode, transactionId, method, provider, providerId: reported.id, status: "open" },
    ...{ reason: reported.reason, amount, fee: methods[method].dispute.hasFee ? chargebackFee : 0, heldShares },
    ...{ blockedAmount: pending + rest, pendingAmount: pending, lostAmount: 0, deadline },
    blockAt: isShort ? new Date(realNow().getTime() + BLOCK_AGAIN_MS) : null,
    remindAt: new Date(deadline.getTime() - (REMINDERS_MS[0] ?? 0)),
    ...{ createdAt: now, updatedAt: now },
  }) as Parameters<typeof begin>[2]["row"];
  await moveSales(query, "dispute", [{ accountId, id: transactionId }]);
  const opened: Fact = {
    type: "dispute_opened",
    sourceId: id,
    owners: { account: accountId },
    amounts: { rest, pending },
  };
  const held = parts.filter(({ isHeld }) => isHeld);
  await begin(query, disputeNoun, { row, posts: [opened, ...held.map(heldOf)] });
  await query("dispute_shares_insert", INSERT_PARTS, [
    JSON.stringify(parts.map((part) => ({ ...part, accountId, disputeId: id }))),
  ]);
  await watch(query, kind, provider, [reported.id], new Date(realNow().getTime() + ASK_AFTER_MS));
  mayCrash("dispute.opened");
  return id;
}

type Part = { id: string; recipientId: string; amount: number };

const heldOf = ({ id: sourceId, recipientId: recipient, amount: share }: Part): Fact => ({
  ...{ type: "share_held", sourceId, owners: { recipient }, amounts: { share } },
});

const INSERT_PARTS = `insert into dispute_shares (account_id, id, dispute_id, share_id, recipient_id, amount, is_held)
  select "accountId", id, "disputeId", "shareId", "recipientId", amount, "isHeld"
  from json_to_recordset($1::json) as p("accountId" uuid, id uuid, "disputeId" uuid, "shareId" uuid, "recipientId" uuid,
    amount bigint, "isHeld" boolean)`;
