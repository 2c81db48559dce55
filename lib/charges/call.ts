import { forAccount, type Tx } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import type { CallKey, Kind, Lost } from "@/lib/rails/calls";
import { acquirerNamed, type Outcome } from "@/lib/rails/cards/port";
import { completionOf } from "@/lib/splits/facts";
import { readShares } from "@/lib/splits/read";
import { moveSales } from "@/lib/transactions/move";
import { readSale } from "@/lib/transactions/read";
import type { Account } from "@/prisma/client/client";

/** The call that makes a card charge. Our id of the call is its sale's id. */
export const cardCharge = {
  name: "card_charge",

  async find({ accountId, id, provider }) {
    const acquirer = acquirerNamed(provider);
    if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
    const { amount } = await forAccount(accountId, (tx) => readSale(tx, { accountId, id }));
    return acquirer.find({ id, amount: Number(amount) });
  },

  async accounts(call) {
    const shares = await forAccount(call.accountId, (tx) => readShares(tx, [call.id]));
    return [call.accountId, ...shares.map(({ recipientId }) => recipientId), PLATFORM];
  },

  /** Moves the sale and posts its money, which stays pending until `lib/charges/settle.ts` makes it available. */
  async write(tx, { accountId, id }, outcome) {
    if (outcome.status === "lost") log.warn({ accountId, transactionId: id }, "a charge did not reach the acquirer");
    const [moved] = await move(tx, { accountId, id }, outcome);
    if (!moved) return reportUnmatched(tx, { accountId, id }, outcome);
    if (outcome.status === "approved") await post(tx, ...completionOf(moved.sale, await readShares(tx, [id])));
    else await tx.storedCard.deleteMany({ where: { accountId, transactionId: id } });
  },

  writeSecond: reportUnmatched,
} satisfies Kind<Outcome>;

/** Records money that the acquirer moved for a sale that had ended unpaid: the operator has to give it back. */
async function reportUnmatched(tx: Tx, call: CallKey, outcome: Outcome | Lost) {
  if (outcome.status !== "approved") return;
  const { id, accountId, amount, status, paidAt } = await readSale(tx, call);
  if (paidAt) return;
  log.error({ accountId, transactionId: id, status }, "a card was charged for a sale that had ended");
  const data = { provider: "cards", endToEndId: id, amount, reason: "charged_too_late" };
  await tx.unmatchedReceipt.createMany({ data, skipDuplicates: true });
}

async function move(tx: Tx, sale: CallKey, outcome: Outcome | Lost) {
  if (outcome.status === "lost") return moveSales(tx, "fail", [sale]);
  if (outcome.status === "refused") return moveSales(tx, "refuse", [{ ...sale, reason: outcome.reason }]);
  const account = await tx.account.findUniqueOrThrow({ where: { id: sale.accountId } });
  const paidAt = new Date();
  return moveSales(tx, "pay", [{ ...sale, paidAt, settleAt: settlementOf(account, paidAt) }]);
}

const settlementOf = ({ cardSettlementDays }: Account, paidAt: Date) =>
  new Date(paidAt.getTime() + cardSettlementDays * 86_400_000);
