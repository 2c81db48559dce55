import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import type { Withdrawal } from "@/prisma/client/client";

type Held = Pick<Withdrawal, "accountId" | "id"> & { amount: number | bigint; fee: number | bigint };
type Sent = Held & Pick<Withdrawal, "mode" | "provider">;

const totalOf = ({ amount, fee }: Held) => Number(amount) + Number(fee);
const partsOf = ({ amount, fee }: Held) => ({ amount: Number(amount), fee: Number(fee) });

/** What is posted when a withdrawal is asked for: amount and fee are held. */
export const requestOf = (withdrawal: Held): Fact => ({
  ...{ type: "withdrawal_requested", sourceId: withdrawal.id, owners: { account: withdrawal.accountId } },
  amounts: { total: totalOf(withdrawal) },
});

/** What is posted when it ends without money having arrived: all that it holds is available again. */
export const releaseOf = (withdrawal: Held): Fact => ({
  ...{ type: "withdrawal_released", sourceId: withdrawal.id, owners: { account: withdrawal.accountId } },
  amounts: { total: totalOf(withdrawal) },
});

/** What is posted when the money has arrived: the amount left by the rail, and the fee is the platform's. */
export const paymentOf = (withdrawal: Sent): Fact => ({
  ...{ type: "withdrawal_paid", sourceId: withdrawal.id, amounts: partsOf(withdrawal) },
  owners: { account: withdrawal.accountId, platform: platforms[withdrawal.mode], rail: withdrawal.provider },
});

/** The same after it was given up and released. What is available may go below zero. */
export const latePaymentOf = (withdrawal: Sent): Fact => ({
  ...{ type: "withdrawal_paid_late", sourceId: withdrawal.id, amounts: partsOf(withdrawal) },
  owners: { account: withdrawal.accountId, platform: platforms[withdrawal.mode], rail: withdrawal.provider },
});

/** What is posted when money came back; the fee stays. */
export const returnOf = (
  { accountId: account, mode, provider: rail }: Pick<Withdrawal, "accountId" | "mode" | "provider">,
  { id: sourceId, amount }: { id: string; amount: number },
): Fact => ({
  ...{ type: "withdrawal_returned", sourceId, amounts: { amount } },
  owners: { account, platform: platforms[mode], rail },
});
