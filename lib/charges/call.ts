import { type Query, transactionFor } from "@/lib/db";
import { platforms } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { methods } from "@/lib/methods/methods";
import type { CallKey, CallKind, Lost } from "@/lib/outside/calls";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Outcome } from "@/lib/rails/cards/port";
import { completionOf } from "@/lib/splits/postings";
import { sharesOfSale } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import { moveSales } from "@/lib/transactions/move";
import { readSale, type Sale } from "@/lib/transactions/sale";
import { receiveUnmatchedCard } from "@/lib/unmatched/receive";
import type { Mode } from "@/prisma/client/enums";

/** The call that makes a card charge. Our id of the call is its sale's id. */
export const cardCharge = {
  name: "card_charge",
  owners: () => Object.values(platforms),

  async find({ accountId, id, provider }) {
    const acquirer = acquirerNamed(provider);
    if (!acquirer) throw new Error(`No acquirer is named ${provider}`);
    const { amount, status } = await transactionFor(accountId, (query) => readSale(query, { accountId, id }));
    return acquirer.find({ id, amount: Number(amount), isWanted: status === "pending" });
  },

  /** Moves the sale and posts its money, which stays pending until `lib/charges/settle.ts` makes it available. */
  async write(query, { accountId, id }, outcome) {
    if (outcome.status === "lost") log.warn({ accountId, transactionId: id }, "a charge did not reach the acquirer");
    const [moved] = await move(query, { accountId, id }, outcome);
    if (!moved) await reportUnmatched(query, { accountId, id }, outcome);
    else if (outcome.status !== "approved") await query("stored_card_drop", DROP_STORED_CARD, [accountId, id]);
    return moved?.sale;
  },

  writeSecond: reportUnmatched,
} satisfies CallKind<Outcome, Sale>;

const DROP_STORED_CARD = "delete from stored_cards where account_id = $1::uuid and transaction_id = $2::uuid";

/** Records money that the acquirer moved for a sale that had ended unpaid: the operator has to give it back. */
async function reportUnmatched(query: Query, call: CallKey, outcome: Outcome | Lost) {
  if (outcome.status !== "approved") return;
  const { id, accountId, amount, status, paidAt } = await readSale(query, call);
  if (paidAt) return;
  log.error({ accountId, transactionId: id, status }, "a card was charged for a sale that had ended");
  await receiveUnmatchedCard(query, { accountId, id, amount, reason: "charged_too_late" });
}

async function move(query: Query, sale: CallKey, outcome: Outcome | Lost) {
  if (outcome.status === "lost") return moveSales(query, "fail", [sale]);
  if (outcome.status === "refused") {
    const { reason, isHard } = outcome;
    return moveSales(query, "refuse", [{ ...sale, reason, isHard }]);
  }
  const { days, net, fee, mode, shares } = await readChargeTerms(query, sale);
  const paidAt = realNow();
  const settleAt = new Date(paidAt.getTime() + days * DAY_MS);
  const posts = completionOf({ ...sale, method: "card", net: BigInt(net), fee: BigInt(fee), mode }, shares);
  return moveSales(query, "pay", [{ ...sale, paidAt, settleAt, posts }]);
}

type Terms = { days: number; net: string; fee: string; mode: Mode; shares: Share[] };

/** Reads what an approved charge posts, and takes the owners of that money into the scope of the transaction. */
export async function readChargeTerms(query: Query, { accountId, id }: CallKey): Promise<Terms> {
  const [terms] = await query<Terms>("charge_terms", TERMS, [accountId, id, Object.values(platforms)]);
  if (!terms) throw new Error(`No charge ${id}`);
  return terms;
}

const TERMS = `select a.${methods.card.settlementDays} as days, t.net, t.fee, a.mode, (${sharesOfSale("t.id")}) as shares,
    set_config('app.accounts', concat_ws(',', $1::text, array_to_string($3::text[], ','),
      (select string_agg(recipient_id::text, ',') from shares where transaction_id = t.id)), true)
  from transactions t join accounts a on a.id = t.account_id
  where t.account_id = $1::uuid and t.id = $2::uuid`;
