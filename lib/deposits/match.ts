import { requireContext } from "@/lib/accounts/read";
import { payCycles } from "@/lib/billing/pay-cycles";
import { forAccount, queryOf, readForStaff, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import { move } from "@/lib/move";
import { mayCrash } from "@/lib/process/crash-points";
import { matchOf } from "@/lib/splits/postings";
import { readSharesOf } from "@/lib/splits/read";
import { tellStaffOfMove } from "@/lib/staff/tell-of-move";
import { moveSales } from "@/lib/transactions/move";
import { findSaleOfAny } from "@/lib/transactions/payable";
import type { Sale } from "@/lib/transactions/sale";
import { mayMove } from "@/lib/transactions/states";
import { assertNotReturned, assertOpen, type Decided, moveOf, readDecided } from "@/lib/unmatched/decide";
import { unmatchedNoun } from "@/lib/unmatched/noun";
import { presentUnmatched } from "@/lib/unmatched/present";
import { findUnmatched } from "@/lib/unmatched/read";
import type { UnmatchedReceipt } from "@/prisma/client/client";

/** What matching throws, for the contract of its route. */
export const matchErrors = [
  "unmatched_not_found",
  "transaction_not_found",
  "unmatched_amount_differs",
  "sale_not_payable",
  "invalid_transition",
  "rail_unavailable",
] as const;

/**
 * Pays a sale with unmatched money that was meant for it, for the operator's staff: the sale is completed as if its rail had
 * reported it so, with its fee, shares, events and webhooks. Both must be of one mode and method and of one amount; money of
 * another amount, or of a card, is credited or returned. Throws `matchErrors`.
 */
export async function matchUnmatched(input: Decided & { transaction: string }, intent: Intent) {
  const { transaction, ...decided } = input;
  const money = await readDecided(decided);
  await assertNotReturned(money);
  const sale = await readForStaff((tx) => findSaleOfAny(queryOf(tx), transaction, money.mode));
  if (!sale) throw new AppError("transaction_not_found");
  const account = await requireContext(sale.accountId);
  const shares = await readSharesOf(sale.accountId, sale.id);
  const recipients = shares.map(({ recipientId }) => recipientId);
  const scope = [...new Set([money.accountId, sale.accountId, platforms[money.mode], ...recipients])];
  return forAccount(scope, (tx) =>
    once(tx, intent.idem, async () => {
      const given = moveOf(decided, intent);
      const facts = { ...given.facts, to_account: sale.accountId, to_sale: sale.id };
      const [moved] = await move(tx, unmatchedNoun, "match", [{ ...given, facts }]);
      assertOpen(moved);
      assertPays(money, sale);
      mayCrash("unmatched.matching");
      const posts = matchOf({ ...sale, mode: money.mode }, shares);
      const { requestId } = intent;
      if (!(await pay(tx, { sale, money, posts, requestId }))) throw new AppError("sale_not_payable");
      const told = { act: "matched", amount: Number(money.amount), reason: decided.reason } as const;
      await tellStaffOfMove(tx, { account, id: money.id, ...told });
      log.info({ id: money.id, transactionId: sale.id }, "unmatched money was matched to a sale by staff");
      return { data: presentUnmatched(await findUnmatched(queryOf(tx), decided)) };
    }),
  );
}

/** What an acquirer charged is refunded and disputed by its own sale's charge, so it pays no other one. */
function assertPays(money: UnmatchedReceipt, sale: Sale): void {
  if (methods[money.method].refundedBy === "acquirer") throw new AppError("sale_not_payable");
  if (money.method !== sale.method || !mayMove("pay", sale)) throw new AppError("sale_not_payable");
  if (money.amount !== sale.amount) throw new AppError("unmatched_amount_differs");
}

type Paying = { sale: Sale; money: UnmatchedReceipt; posts: ReturnType<typeof matchOf>; requestId: string };

/** Completes the sale, with its cycle where it is of one. Returns whether it could still be paid. */
async function pay(tx: Tx, { sale, money, posts, requestId }: Paying): Promise<boolean> {
  const query = queryOf(tx);
  const { accountId, id } = sale;
  const { receivedAt: paidAt, endToEndId, provider } = money;
  const payer = money.payer ? { payer: money.payer as object } : {};
  const complete = () =>
    moveSales(tx, "pay", [{ accountId, id, requestId, paidAt, endToEndId, provider, ...payer, posts }]);
  if (sale.cycleId === null) return (await complete()).length === 1;
  const paid = await payCycles(query, [sale], async (some) => (some.length === 0 ? [] : complete()));
  return paid.length === 1;
}
