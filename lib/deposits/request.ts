import { type AccountContext, assertActive, assertCeiling, merchantOf } from "@/lib/accounts/context";
import { forAccount } from "@/lib/db";
import { requestByCall } from "@/lib/deposits/call";
import { presentDeposit } from "@/lib/deposits/present";
import type { CashInBody } from "@/lib/deposits/schema";
import { env } from "@/lib/env";
import { AppError, type ErrorCode } from "@/lib/errors";
import { type Idem, type Intent, once, replay } from "@/lib/idempotency";
import { newAlphanumeric, newId } from "@/lib/ids";
import { feeOf } from "@/lib/money";
import { describeSold } from "@/lib/plans/snapshot";
import { railFor } from "@/lib/rails/pix/rails";
import { assertUrlShape } from "@/lib/receivers/url";
import { refuseWithoutRail } from "@/lib/sellers/refuse-without-rail";
import { businessNow } from "@/lib/time/clock";
import { insertSale, insertSales, type NewSale, type PageSale } from "@/lib/transactions/insert";
import { trackingOf, type Untracked } from "@/lib/transactions/tracking";

/** How long a code is valid: the default of the Central Bank's API Pix (cob, `calendario.expiracao`). */
const VALIDITY_MS = 24 * 60 * 60 * 1000;

type Visitor = Partial<Pick<CashInBody, "client_ip" | "user_agent">>;
export type DepositRequest = Untracked<Omit<CashInBody, keyof Visitor>> &
  Visitor & {
    /** The old API's extras: its own expiry, and the fields that it returns as they were sent. */
    expiresAt?: Date;
    legacy?: Record<string, unknown>;
    /** Of a sale on a page of ours. */
    page?: PageSale;
  };

/** The codes that asking for a deposit throws, for the contracts of its routes. */
export const depositErrors = [
  "account_not_approved",
  "account_suspended",
  "account_closed",
  "max_cashin_without_fee",
  "amount_below_minimum",
  "split_exceeds_total",
  "split_own_account",
  "webhook_url_not_allowed",
  "rail_not_configured",
  "rail_unavailable",
  "deposit_pending",
  "deposit_not_made",
] as const satisfies readonly ErrorCode[];

/**
 * Requests a deposit: issues the Pix code and writes the sale, its event, its webhooks' job and the caller's
 * Idempotency-Key in one statement. A rail that makes its codes itself is called instead (`lib/deposits/call.ts`). Fee
 * and split are computed here once, in cents.
 * Throws `account_not_approved`, `rail_not_configured`, `rail_unavailable`, `amount_below_minimum`, `max_cashin_without_fee`,
 * `split_exceeds_total`, `split_own_account`, `webhook_url_not_allowed`, `deposit_pending`, `deposit_not_made`, and 422
 * for an unknown recipient or plan.
 */
export async function requestDeposit(account: AccountContext, input: DepositRequest, intent: Intent) {
  const { idem, requestId } = intent;
  assertMayAsk(account, input);
  const rail = railFor(account);
  if (!rail) return refuseWithoutRail(account, "pix");

  const fee = feeOf(input.amount, account.fees.pix);
  const net = input.amount - fee;
  const { page } = input;
  const sold = page ? { ...page.columns, shares: [] } : await describeSold(account, net, input);

  const now = businessNow(account);
  const [id, txid] = [newId(now), newAlphanumeric(25)];
  const expiresAt = input.expiresAt ?? new Date(now.getTime() + VALIDITY_MS);
  const merchant = merchantOf(account);
  const codeRequest = { amount: input.amount, description: input.description, ...merchant };
  const sale = {
    accountId: account.id,
    id,
    method: "pix" as const,
    amount: input.amount,
    fee,
    net,
    clientIp: input.client_ip ?? null,
    userAgent: input.user_agent ?? null,
    tracking: trackingOf(input),
    ...sold,
    description: input.description,
    externalId: input.external_id,
    clientName: input.client?.name ?? null,
    clientEmail: input.client?.email ?? null,
    clientDocument: input.client?.cpf ?? null,
    clientPhone: input.client?.phone ?? null,
    callback: input.webhook_url ? { url: input.webhook_url, contract: "legacy" } : null,
    legacy: input.legacy ?? null,
    requestId,
    expiresAt,
    createdAt: now,
  };
  if (rail.requestCode) return requestByCall(rail, { ...sale, admit: page?.admit }, codeRequest, intent);

  const code = { txid, pixCode: rail.issueCode({ ...codeRequest, txid }) };
  const result = presentDeposit({ id, status: "pending", expiresAt, ...code });
  if (page) return requestOnPage(page, { ...sale, ...code }, result, idem);
  const isNew = await insertSale({ ...sale, ...code }, idem && { idem, answer: idem.render(result) });
  return isNew || !idem ? result : replay(idem);
}

/** Writes the sale in the transaction that admits it, unless the payer's own open one is given again. */
const requestOnPage = ({ admit }: PageSale, sale: NewSale, result: Deposit, idem: Idem | undefined) =>
  forAccount(sale.accountId, (tx) =>
    once(tx, idem, async () => {
      const own = await admit(tx);
      if (own) return presentDeposit(own);
      await insertSales(tx, [sale]);
      return result;
    }),
  );

type Deposit = ReturnType<typeof presentDeposit>;

function assertMayAsk(account: AccountContext, body: DepositRequest) {
  assertActive(account);
  if (body.amount < env.MIN_CASHIN) throw new AppError("amount_below_minimum");
  assertCeiling(account, body.amount);
  if (body.webhook_url) assertUrlShape(body.webhook_url, account.mode);
}
