import { forAccount, transactionFor } from "@/lib/db";
import { newAlphanumeric, newId } from "@/lib/ids";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { type Refund, RefundBody } from "@/lib/refunds/schema";
import { completionOf } from "@/lib/splits/postings";
import { call, type Made } from "@/lib/testing/make";
import { DAY_MS } from "@/lib/time/calendar";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";
import type { TransactionMethod } from "@/prisma/client/enums";

type Sold = {
  method?: TransactionMethod;
  /** In cents; its net value is the same. */
  amount: number;
  /** The recipients and their parts in cents. */
  shares?: readonly { made: Made; share: number }[];
  paidAt?: Date;
};

/** A paid sale, as its rail would report it. Returns its id. */
export async function soldBy({ accountId }: Made, { method = "pix", amount, shares = [], paidAt = new Date() }: Sold) {
  const parts = shares.map(({ made, share }) => {
    return { id: newId(), recipientId: made.accountId, name: "Ana", basisPoints: 100, amount: share, planId: null };
  });
  const isPix = method === "pix";
  const code = isPix ? { txid: newAlphanumeric(25), pixCode: "000201" } : { installments: 1 };
  const made = { accountId, id: newId(), method, amount, fee: 0, net: amount, createdAt: new Date(), ...code };
  const [written] = await forAccount(accountId, (tx) => insertSales(tx, [{ ...made, shares: parts }]));
  if (!written) throw new Error("A sale was not written");
  const posts = completionOf({ ...written, mode: "sandbox" }, parts);
  const payer = { name: "Ana", document: null, ispb: null };
  const paid = isPix ? { endToEndId: `E${newAlphanumeric(31)}`, payer } : { settleAt: new Date(Date.now() + DAY_MS) };
  await moveSalesNow("pay", [{ accountId, id: made.id, posts, paidAt, ...paid }]);
  return made.id;
}

/** Asks for a refund of a sale; without an amount, of all that is left of it. */
export const askRefund = async (
  { account }: Pick<Made, "account">,
  id: string,
  overrides: object = {},
): Promise<Refund> =>
  (await requestRefund(account, { ...RefundBody.parse({ reason: "other", ...overrides }), id }, call())).data;

/** Has the staff approve a refund, and the money arrive at its payer as the rail would report it. */
export async function completeRefund({ accountId }: Made, { code }: Pick<Refund, "code">): Promise<void> {
  const id = idOfCode(code) ?? "";
  await approveRefund({ accountId, code }, call());
  await transactionFor(accountId, (query) => move(query, refundNoun, "process", [{ accountId, id }]));
  await finishCall(refundCall, { accountId, id }, { status: "completed", returnId: "D1" });
}
