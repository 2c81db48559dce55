import { actAs } from "@/lib/actor";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { settleDueCharges } from "@/lib/charges/settle";
import { asSystem, forAccount, prisma, transactionFor } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { idOf, newAlphanumeric, newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { move } from "@/lib/move";
import { finishCall } from "@/lib/outside/calls";
import { approveRefund } from "@/lib/refunds/approve";
import { refundCall } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { idOfCode } from "@/lib/refunds/record";
import { requestRefund } from "@/lib/refunds/request";
import { type Refund, RefundBody } from "@/lib/refunds/schema";
import { completionOf } from "@/lib/splits/postings";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { anOrder, aToken } from "@/lib/testing/shop";
import { saleOf } from "@/lib/testing/subscriptions";
import { DAY_MS } from "@/lib/time/calendar";
import { insertSales } from "@/lib/transactions/insert";
import { moveSalesNow } from "@/lib/transactions/move";
import type { TransactionMethod } from "@/prisma/client/enums";

/** What a refund of `aSeller` costs, in cents. */
export const FEE = 150;
/** A person of the operator's staff, as an actor. */
export const STAFF = { kind: "staff", id: newId() } as const;

type Split = { user_id: string; percentage: number }[];

/** A seller whose refunds cost R$ 1.50 and whose sales 2 %. */
export async function aSeller(): Promise<Made> {
  const made = await makeAccount({ feeBasisPoints: 200 });
  await forAccount(made.accountId, (tx) =>
    tx.account.update({
      where: { id: made.accountId },
      data: { refundFee: FEE, cardFeeFixed: 0, cardFeeBasisPoints: 200 },
    }),
  );
  return made;
}

/** A paid Pix sale of R$ 100.00, of which the named recipients get their percentages. */
export async function aPixSale({ account }: Made, split: Split = []): Promise<string> {
  const { identifier } = await requestDeposit(account, cashIn(split.length > 0 ? { split } : {}), call());
  const { end_to_end_id } = await simulatePayment(account, { id: identifier }, call());
  await completeDeposit({ provider: "simulator", endToEndId: end_to_end_id });
  return identifier;
}

/** A card sale of R$ 100.00 that is paid and not settled. */
export async function aCardSale(made: Made, split: Split = []): Promise<string> {
  const order = anOrder(await aToken(made), split.length > 0 ? { split } : {});
  return (await chargeCard((await withFees(made)).account, ChargeBody.parse(order), call())).identifier;
}

/** The account with the fees that `aSeller` gave it. */
const withFees = async (made: Made) => ({
  ...made,
  account: { ...made.account, fees: { ...made.account.fees, card: { basisPoints: 200, fixed: 0, minimum: 0 } } },
});

/** Makes the money of a seller's card sales available. */
export async function settleNow({ accountId }: Made): Promise<void> {
  await forAccount(accountId, (tx) =>
    tx.transaction.updateMany({ where: { accountId, method: "card" }, data: { settleAt: new Date(0) } }),
  );
  while (await settleDueCharges());
}

/** Asks for a refund of a sale. */
export const ask = async ({ account }: Pick<Made, "account">, id: string, overrides: object = {}): Promise<Refund> =>
  (await requestRefund(account, { ...RefundBody.parse({ reason: "product_not_delivered", ...overrides }), id }, call()))
    .data;

export const approve = ({ accountId }: Made, { code }: Pick<Refund, "code">) =>
  actAs(STAFF, () => approveRefund({ accountId, code }, call()));

/** Available, pending and blocked cents. */
export async function balances({ accountId }: Made): Promise<[number, number, number]> {
  const { available, pending, blocked } = await readBalances(accountId);
  return [available, pending, blocked];
}

/** The key of a refund and of its call. */
export const keyOf = ({ accountId }: Made, { code }: Pick<Refund, "code">) => ({ accountId, id: idOfCode(code) ?? "" });

/** Money of a sale that went back, or shall, in the records of the company that moves it: under our id, in cents. */
export type Returned = { id: string; amount: number; status: string };

/** What the simulated PSP or acquirer has recorded of a sale. */
export async function returnsOf({ accountId }: Made, saleId: string): Promise<Returned[]> {
  const { endToEndId } = await saleOf(accountId, saleId);
  if (endToEndId === null) {
    const rows = await prisma().simulatorCardRefund.findMany({ where: { chargeId: saleId }, orderBy: { id: "asc" } });
    return rows.map(({ id, amount }) => ({ id, amount: Number(amount), status: "completed" }));
  }
  const rows = await prisma().simulatorDevolucao.findMany({ where: { endToEndId }, orderBy: { id: "asc" } });
  return rows.map(({ id, amount, status }) => ({ id: idOf(id) ?? id, amount: Number(amount), status }));
}

/** Lets minutes pass for every call and provider: what is claimed or waits is due, and what was sent is older. */
export const letTimePass = (minutes: number) =>
  asSystem(async (tx) => {
    await tx.$executeRaw`update provider_pauses set paused_at = paused_at - ${minutes} * interval '1 minute'`;
    return tx.$executeRaw`update calls set due_at = due_at - ${minutes} * interval '1 minute',
      claimed_until = claimed_until - ${minutes} * interval '1 minute', sent_at = sent_at - ${minutes} * interval '1 minute', asked_at = asked_at - ${minutes} * interval '1 minute',
      accepted_at = accepted_at - ${minutes} * interval '1 minute'
    where done_at is null`;
  });

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

/** Has the staff approve a refund, and the money arrive at its payer as the rail would report it. */
export async function completeRefund({ accountId }: Made, { code }: Pick<Refund, "code">): Promise<void> {
  const id = idOfCode(code) ?? "";
  await approveRefund({ accountId, code }, call());
  await transactionFor(accountId, (query) => move(query, refundNoun, "process", [{ accountId, id }]));
  await finishCall(refundCall, { accountId, id }, { status: "completed", returnId: "D1" });
}
