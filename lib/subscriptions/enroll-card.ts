import type { AccountContext } from "@/lib/accounts/context";
import { attachCard } from "@/lib/billing/card";
import { cycleCharge } from "@/lib/billing/card-call";
import { signedUpFrom } from "@/lib/billing/charge";
import { recordEvent, type SubscriptionChange, updateCycle } from "@/lib/billing/subscription-change";
import { failAttempt } from "@/lib/billing/transitions";
import { writeChanges } from "@/lib/billing/write";
import { spendToken } from "@/lib/card-tokens/tokenize";
import { beginCharge } from "@/lib/charges/begin";
import { presentCharge } from "@/lib/charges/present";
import { type Query, queryOf, type Tx } from "@/lib/db";
import { AppError, type ErrorCode, invalid } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { decimal, feeOf } from "@/lib/money";
import { callAndWait } from "@/lib/outside/call-and-wait";
import type { CallKey } from "@/lib/outside/calls";
import { soldOf } from "@/lib/plans/snapshot";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import type { EnrollBody, Enrolled } from "@/lib/subscriptions/schema";
import { businessNow } from "@/lib/time/clock";
import { readSale, type Sale } from "@/lib/transactions/sale";
import type { Untracked } from "@/lib/transactions/tracking";

/** What enrolling by card throws beside what enrolling does, for the contracts of its routes. */
export const cardErrors = [
  "feature_disabled",
  "https_required",
  "card_token_expired",
  "DUPLICATE_CARD_TOKEN",
  "card_refused",
  "antifraud_refused",
  "charge_not_made",
] as const satisfies readonly ErrorCode[];

/** Begins a subscription and its first cycle in the charge's own transaction. */
type Begin = (tx: Tx) => Promise<SubscriptionChange>;

/**
 * Enrols by a card's token: the first charge opens the agreement by which the card is kept and charged later, without its
 * holder. A refused first charge ends the subscription, and its card is not kept. Throws 422 at `card` and `device`, and
 * `cardErrors`.
 */
export async function enrollByCard(
  account: AccountContext,
  { card, device, ...person }: Untracked<EnrollBody>,
  begin: Begin,
  intent: Intent,
): Promise<Enrolled> {
  if (!account.features.includes("cards")) throw new AppError("feature_disabled");
  if (!card) throw invalid({ "card.token": ["Este plano é cobrado no cartão. Envie o token do cartão."] });
  if (!device) throw invalid({ device: ["Informe o dispositivo de onde o cartão foi digitado."] });
  const acquirer = acquirerFor(account.mode);
  if (!acquirer) return refuseWithoutRail(account, "card");
  const { provider } = acquirer;
  const charge = acquirer.charge.bind(acquirer);
  const id = newId(businessNow(account));

  async function first(tx: Tx) {
    const change = await begin(tx);
    const { cycle, offer, subscription } = change;
    if (!cycle || !device || !card) throw new Error("A subscription begins with a cycle");
    const amount = Number(cycle.amount);
    const fee = feeOf(amount, account.fees.card);
    const origin = "subscription" as const;
    const sold = {
      ...soldOf(offer.plan, amount, amount - fee),
      origin,
      subscriptionId: subscription.id,
      cycleId: cycle.id,
      tracking: signedUpFrom(change).tracking,
      ...(subscription.byVisitor && { byVisitor: true }),
    };
    const order = {
      ...{
        amount,
        description: offer.plan.name,
        device,
        split: [],
        plan_token: null,
        installments: 1,
        webhook_url: null,
      },
      client: clientOf(person),
      save_card: { consent: consentTo(account.name, offer.plan.name, amount) },
    };
    const spend = (within: Tx) => spendToken(within, account.id, card.token);
    const begun = await beginCharge(tx, account, order, { id, fee, net: amount - fee, sold, spend }, intent.requestId);
    recordEvent(change, "cycle.created", cycle);
    if (begun.kept) attachCard(change, begun.kept);
    updateCycle(change, cycle, { transactionId: id, chargingSaleId: id });
    if (begun.sale.status !== "pending") failAttempt(change, cycle, true);
    await writeChanges(queryOf(tx), [change]);
    if (begun.sale.status !== "pending") return { row: begun.sale };
    const { card: plain, brand } = begun.spent;
    const at = businessNow(account);
    const asked = { id, amount, installments: 1, card: plain, brand, softDescriptor: account.name, at };
    return { row: begun.sale, ask: () => charge({ ...asked, onFile: "first_recurring" as const }) };
  }

  const read = (query: Query, call: CallKey) => readSale(query, call);
  const verb = { kind: cycleCharge, provider, begin: first, read, present };
  return callAndWait({ accountId: account.id, id }, verb, intent);
}

const clientOf = ({ name, email, phone, document }: Pick<EnrollBody, "name" | "email" | "phone" | "document">) => ({
  ...{ name, email, phone },
  document: { type: document.length === 11 ? ("cpf" as const) : ("cnpj" as const), number: document },
});

/** What a holder agrees to, as it is kept with the card. Amount in cents. */
export const consentTo = (seller: string, plan: string, amount: number) =>
  `Autorizo ${seller} a guardar este cartão e a cobrar nele, a cada período, o plano ${plan}, hoje de R$ ${decimal(amount).replace(".", ",")}.`;

function present(sale: Sale): Enrolled {
  presentCharge(sale); // throws where it was not paid
  return {
    subscription_token: sale.subscriptionId ?? "",
    status: sale.status === "completed" ? "active" : "pending_first_payment",
    billing_method: "credit_card",
    payment: { pix_code: null, qr_code: null, identifier: sale.id, expires_at: null },
  };
}
