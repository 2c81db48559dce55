import { readContext } from "@/lib/accounts/read";
import { asSystem, forAccount, prisma, statement } from "@/lib/db";
import { log } from "@/lib/log";
import { type Receipt, railFor, railNamed } from "@/lib/rails/pix/port";
import { completionOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { moveSalesNow } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";

const BATCH = 50;

type Due = { provider: string; eventId: string; endToEndId: string };

/**
 * Completes the deposits of a batch of callbacks that are due. A callback whose payment the rail does not know yet, or
 * about which it does not answer, is due again later. Returns whether more may be due.
 */
export async function completeDuePayments(): Promise<boolean> {
  const due = await statement<Due>("callbacks_claim", CLAIM, [BATCH]);
  await Promise.all(
    due.map((callback) =>
      completeDeposit(callback).then(
        () => statement("callbacks_done", DONE, [callback.provider, callback.eventId]),
        (error) => log.warn({ ...callback, error }, "a payment was not completed yet"),
      ),
    ),
  );
  return due.length === BATCH;
}

/** Claims callbacks by moving their next question ahead; if this process dies, another asks then. */
const CLAIM = `with due as (
    select provider, event_id from rail_callbacks where ask_at <= now() order by ask_at limit $1
    for update skip locked
  )
  update rail_callbacks c set attempts = c.attempts + 1,
    ask_at = now() + least(greatest((now() - c.received_at) / 4, interval '15 seconds'), interval '1 hour')
  from due where c.provider = due.provider and c.event_id = due.event_id
  returning c.provider, c.event_id as "eventId", c.end_to_end_id as "endToEndId"`;
const DONE = "update rail_callbacks set ask_at = null where provider = $1 and event_id = $2";

/**
 * Asks the rail what really arrived and, if that pays an open deposit to the cent,
 * completes it. Safe to run any number of times and twice at once. Money that pays no deposit of ours is recorded for
 * the operator and posted nowhere. Throws when the rail does not answer or does not know the payment yet, so that the
 * job runs again.
 */
export async function completeDeposit({ provider, endToEndId }: Omit<Due, "eventId">): Promise<void> {
  const rail = railNamed(provider);
  if (!rail) throw new Error(`No rail is named ${provider}`);
  const receipt = await rail.received(endToEndId);
  if (!receipt) throw new Error(`${provider} does not know ${endToEndId}`);
  const { sale, shares } = await findByTxid(receipt.txid);
  const account = sale?.method === "pix" && (await readContext(sale.accountId));
  if (!sale || !account) return note(provider, receipt, "unknown_txid");
  if (railFor(account.mode)?.provider !== provider) return note(provider, receipt, "another_rail");
  if (sale.amount !== BigInt(receipt.amount)) return note(provider, receipt, "amount_differs");
  const completed = await applyReceipt(sale, shares, receipt);
  if (!completed && !(await isPaidBy(sale, endToEndId))) await note(provider, receipt, "already_paid");
}

/** Completes a sale and posts its money, together. Returns false when the sale is not open. */
export async function applyReceipt(sale: Sale, shares: readonly Share[], receipt: Receipt): Promise<boolean> {
  const { accountId, id } = sale;
  const { paidAt, endToEndId, payer } = receipt;
  const posts = completionOf(sale, shares);
  const [moved] = await moveSalesNow("pay", [{ accountId, id, paidAt, endToEndId, payer, posts }]);
  return moved !== undefined;
}

/** The sale of a code, of whatever account. */
const findByTxid = (txid: string) =>
  asSystem(async (tx) => {
    const sale = await tx.transaction.findUnique({ where: { txid } });
    return { sale, shares: sale ? await readShares(tx, [sale.id]) : [] };
  });

async function isPaidBy(sale: Sale, endToEndId: string): Promise<boolean> {
  const where = { accountId_id: { accountId: sale.accountId, id: sale.id } };
  const found = await forAccount(sale.accountId, (tx) => tx.transaction.findUnique({ where }));
  return found?.endToEndId === endToEndId;
}

async function note(provider: string, { endToEndId, txid, amount }: Receipt, reason: string) {
  await prisma().unmatchedReceipt.createMany({
    data: { provider, endToEndId, txid, amount, reason },
    skipDuplicates: true,
  });
}
