import { mayCrash } from "@/lib/charges/crash-points";
import { renderCharge } from "@/lib/charges/present";
import { forAccount, type Tx } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import { keepAnswer } from "@/lib/idempotency";
import { PLATFORM } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import type { Outcome } from "@/lib/rails/cards/port";
import { completionOf } from "@/lib/splits/facts";
import type { Share } from "@/lib/splits/share";
import { moveSales } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";
import type { Account } from "@/prisma/client/client";

/** A charge under way; `shares` are those that it was begun with. */
type Charge = Pick<Sale, "accountId" | "id"> & { shares: readonly Share[] };

/** What became of a charge; `null`: no answer; `lost`: it surely did not reach the acquirer, now or after long. */
type Result = Outcome | { status: "lost" } | null;

type Finished = { sale: Sale; isAnswerOurs: boolean };

/**
 * The second transaction of a charge: status, money, event and, for a caller, the key's answer, together or not at all;
 * only the first to come finds the sale pending. Returns the sale as it is then, and whether the caller's key has no
 * other answer.
 */
export async function finishCharge(charge: Charge, result: Result, call?: Call): Promise<Finished> {
  const { accountId, id, shares } = charge;
  const recipients = shares.map(({ recipientId }) => recipientId);
  return forAccount([accountId, ...recipients, PLATFORM], async (tx) => {
    if (result) await move(tx, charge, result);
    else await askSoon(tx, charge);
    const sale = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    if (result?.status === "approved" && !sale.paidAt) await noteLateApproval(tx, sale);
    const { idem, requestId = "" } = call ?? {};
    const isAnswerOurs = !idem || (await keepAnswer(tx, idem, renderCharge(idem, sale, requestId)));
    mayCrash("charge.finishing");
    return { sale, isAnswerOurs };
  });
}

async function move(tx: Tx, charge: Charge, result: NonNullable<Result>) {
  const { accountId, id } = charge;
  const [moved] = await moveTo(tx, { accountId, id }, result);
  if (!moved) return;
  const { sale } = moved;
  if (sale.status === "failed") log.warn({ accountId, transactionId: id }, "a charge did not reach the acquirer");
  if (sale.status === "completed") await post(tx, ...completionOf(sale, charge.shares));
  else await tx.storedCard.deleteMany({ where: { accountId, transactionId: id } });
  const where = { accountId_transactionId: { accountId, transactionId: id } };
  await tx.cardCharge.update({ where, data: { answeredAt: new Date() } });
}

async function moveTo(tx: Tx, sale: { accountId: string; id: string }, result: NonNullable<Result>) {
  if (result.status === "lost") return moveSales(tx, "fail", [sale]);
  if (result.status === "refused") return moveSales(tx, "refuse", [{ ...sale, reason: result.reason }]);
  const account = await tx.account.findUniqueOrThrow({ where: { id: sale.accountId } });
  const paidAt = new Date();
  return moveSales(tx, "pay", [{ ...sale, paidAt, settleAt: settlementOf(account, paidAt) }]);
}

/** Money that the acquirer took for a sale that had ended without it: the operator's to give back. */
async function noteLateApproval(tx: Tx, { id, accountId, amount, status }: Sale) {
  log.error({ accountId, transactionId: id, status }, "a card was charged for a sale that had ended");
  const data = { provider: "cards", endToEndId: id, amount, reason: "charged_too_late" };
  await tx.unmatchedReceipt.createMany({ data, skipDuplicates: true });
}

const settlementOf = ({ cardSettlementDays }: Account, paidAt: Date) =>
  new Date(paidAt.getTime() + cardSettlementDays * 86_400_000);

/** Nobody knows what the acquirer said: `lib/charges/resolve.ts` asks it 2 s from now. */
export const askSoon = (tx: Tx, { accountId, id }: Omit<Charge, "shares">) =>
  tx.$executeRaw`
    update card_charges set ask_at = now() + interval '2 seconds'
    where account_id = ${accountId}::uuid and transaction_id = ${id}::uuid and answered_at is null`;
