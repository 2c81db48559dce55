import type { AccountContext } from "@/lib/accounts/context";
import { chargeCard } from "@/lib/charges/charge";
import type { CheckoutPay } from "@/lib/checkout/schema";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import type { Intent } from "@/lib/idempotency";
import { acquirerFor } from "@/lib/rails/cards/acquirers";
import { railFor } from "@/lib/rails/pix/rails";
import { businessNow } from "@/lib/time/clock";
import type { PageSale } from "@/lib/transactions/insert";
import type { TransactionMethod } from "@/prisma/client/enums";

/** How long a code of the checkout can be paid; one of a link for a number of payments keeps its place as long. */
const VALIDITY_MS = 30 * 60 * 1000;
const LIMITED_VALIDITY_MS = 10 * 60 * 1000;

/** A payment that a visitor of a link's page asks for; amount in cents. */
export type PageOrder = {
  token: string;
  amount: number;
  description: string;
  /** Whether the link ends after a number of payments. */
  isLimited: boolean;
  body: CheckoutPay;
  page: PageSale;
  /** From where it is asked for. */
  ip: string;
  userAgent: string;
};

type Begun = { identifier: string; status?: string; pix_code?: string; expires_at?: string | null };

type Method = {
  /** Whether an account has a provider of such payments. */
  isThere(account: AccountContext): boolean;
  /** Begins a payment; throws what its noun's verb throws. */
  begin(account: AccountContext, order: PageOrder, intent: Intent): Promise<Begun>;
};

/** How a payment on a page of ours begins by each method. */
export const checkoutMethods: Record<TransactionMethod, Method> = {
  pix: {
    isThere: (account) => railFor(account) !== null,
    begin(account, { body, page, isLimited, ...order }, intent) {
      const { name, email, document, phone } = body;
      const client = { name, email, cpf: document, phone };
      const validMs = isLimited ? LIMITED_VALIDITY_MS : VALIDITY_MS;
      const expiresAt = new Date(businessNow(account).getTime() + validMs);
      return requestDeposit(account, { ...orderOf(order), client, external_id: null, expiresAt, page }, intent);
    },
  },

  card: {
    isThere: ({ mode }) => acquirerFor(mode) !== null,
    begin(account, { body, page, ip, userAgent, token, ...order }, intent) {
      const { name, email, document, phone } = body;
      const type = document.length === 11 ? ("cpf" as const) : ("cnpj" as const);
      const client = { name, email, phone, document: { type, number: document } };
      const device = { ip, user_agent: userAgent || "unknown", page_url: `${env.APP_URL}/checkout/${token}` };
      const card = { token: body.card?.token ?? "" };
      return chargeCard(account, { ...orderOf(order), client, device, card, installments: 1, page }, intent);
    },
  },
};

const orderOf = ({ amount, description }: Pick<PageOrder, "amount" | "description">) => ({
  ...{ amount, description },
  ...{ split: [], plan_token: null, webhook_url: null },
});
