import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { spendToken } from "@/lib/card-tokens/tokenize";
import { beginCharge, type Order, type Spend } from "@/lib/charges/begin";
import { cardCharge } from "@/lib/charges/call";
import { presentCharge } from "@/lib/charges/present";
import type { Charge, ChargeBody } from "@/lib/charges/schema";
import { openStoredCard } from "@/lib/charges/stored-card";
import type { Tx } from "@/lib/db";
import type { Intent } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { feeOf } from "@/lib/money";
import { callAndWait } from "@/lib/outside/call-and-wait";
import { describeSold } from "@/lib/plans/snapshot";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { assertUrlShape } from "@/lib/receivers/url";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import { businessNow } from "@/lib/time/clock";
import { readSale } from "@/lib/transactions/sale";

/**
 * Charges a tokenized card once. The first transaction spends the token and writes the sale, then the acquirer is
 * asked, and the second transaction writes its answer (`lib/outside/call-and-wait.ts`, `lib/charges/call.ts`). No answer
 * within the time-out is not a refusal: the sale stays pending, and the loop of calls asks about our id. Where surely nothing was
 * charged, the sale fails at once.
 * Throws `account_not_approved`, `account_suspended`, `rail_not_configured`, `card_data_not_accepted`,
 * `DUPLICATE_CARD_TOKEN`, `card_token_expired`, 422 at `card.token`, what the split throws, and for a sale that was not
 * paid `card_refused`, `antifraud_refused` and `charge_not_made`.
 */
export const chargeCard = (account: AccountContext, input: Order & Pick<ChargeBody, "card">, intent: Intent) =>
  charge(account, input, (tx) => spendToken(tx, account.id, input.card.token), intent);

/**
 * Charges a card on file, while its holder is absent. No CVV is sent, because none was kept. Throws as `chargeCard`
 * does, and `card_not_found`.
 */
export const chargeStoredCard = (account: AccountContext, order: Order, storedCardId: string, intent: Intent) =>
  charge(account, order, (tx) => openStoredCard(tx, account.id, storedCardId), intent);

async function charge(account: AccountContext, order: Order, spend: Spend, intent: Intent): Promise<Charge> {
  assertMayCharge(account, order);
  const acquirer = acquirerFor(account.mode);
  if (!acquirer) return refuseWithoutRail(account, "card");
  const fee = feeOf(order.amount, account.fees.card);
  const net = order.amount - fee;
  const sold = order.page?.columns ?? (await describeSold(account, net, order));

  const id = newId(businessNow(account));
  const begin = async (tx: Tx) => {
    const { sale, spent } = await beginCharge(tx, account, order, { id, fee, net, sold, spend }, intent.requestId);
    if (sale.status !== "pending") return { row: sale };
    const { amount, installments } = order;
    const { card, brand, tokenId } = spent;
    const keeps = order.save_card ? ("first" as const) : undefined;
    const onFile = tokenId ? keeps : ("later" as const);
    const at = businessNow(account);
    const asked = { id, amount, installments, card, brand, onFile, softDescriptor: account.name, at };
    return { row: sale, ask: () => acquirer.charge(asked) };
  };
  const { provider } = acquirer;
  const verb = { kind: cardCharge, provider, begin, read: readSale, present: presentCharge };
  return callAndWait({ accountId: account.id, id }, verb, intent);
}

function assertMayCharge(account: AccountContext, { webhook_url }: Order) {
  assertActive(account);
  if (webhook_url) assertUrlShape(webhook_url, account.mode);
}
