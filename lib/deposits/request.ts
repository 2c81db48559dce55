import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { businessNow, iso } from "@/lib/clock";
import { statement } from "@/lib/db";
import type { CashInBody } from "@/lib/deposits/schema";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { type Intent, inProgress, replay, sealAnswer } from "@/lib/idempotency";
import { newAlphanumeric, newId } from "@/lib/ids";
import { feeOf } from "@/lib/money";
import { railFor } from "@/lib/rails/pix/port";
import { snapshotShares } from "@/lib/splits/snapshot";
import { assertUrlShape } from "@/lib/webhooks/url";

/** How long a code is offered: the default of the Central Bank's API Pix (cob, `calendario.expiracao`). */
const VALIDITY_MS = 24 * 60 * 60 * 1000;

export type DepositRequest = CashInBody & {
  /** The old API's extras: its own expiry, postback and what it wants back. */
  expiresAt?: Date;
  legacy?: Record<string, unknown>;
};

/**
 * Asks for a deposit: issues the Pix code and writes the sale, its event and the promise of its webhooks in one
 * statement, which is also the caller's Idempotency-Key. Fee and split are snapshotted here, in cents.
 * Throws `account_not_approved`, `rail_unavailable`, `amount_below_minimum`, `max_cashin_without_fee`,
 * `split_exceeds_total`, `split_own_account`, `webhook_url_not_allowed`, and 422 for an unknown recipient.
 */
export async function requestDeposit(account: AccountContext, body: DepositRequest, { idem, requestId }: Intent) {
  assertMayCharge(account, body);
  const rail = railFor(account.mode);
  if (!rail) throw new AppError("rail_unavailable");

  const fee = feeOf(body.amount, account.pixFee);
  const net = body.amount - fee;
  const shares = body.split.length > 0 ? await snapshotShares(account, net, body.split) : [];

  const [id, eventId, txid] = [newId(), newId(), newAlphanumeric(25)];
  const now = businessNow(account);
  const expiresAt = body.expiresAt ?? new Date(now.getTime() + VALIDITY_MS);
  const pixCode = rail.issueCode({
    txid,
    amount: body.amount,
    merchantName: account.name,
    merchantCity: account.city ?? "SAO PAULO",
    description: body.description,
  });
  const result = {
    message: "Cobrança Pix criada.",
    pix_code: pixCode,
    identifier: id,
    expires_at: iso(expiresAt),
    txid,
  };

  const answer = idem?.render(result);
  const rows = await statement<{ written: boolean }>(idem ? "deposit_once" : "deposit", idem ? ONCE : PLAIN, [
    ...[account.id, id, body.amount, fee, net, JSON.stringify(shares), body.description, body.external_id],
    ...[body.client?.name, body.client?.email, body.client?.cpf, body.client?.phone, txid, pixCode],
    ...[body.webhook_url && JSON.stringify({ url: body.webhook_url, contract: "legacy" })],
    ...[body.legacy && JSON.stringify(body.legacy), requestId, expiresAt, now, eventId],
    ...(idem && answer ? [idem.key, idem.requestHash, answer.status, sealAnswer(idem, answer)] : []),
  ]).catch(inProgress);
  return rows.length === 0 && idem ? replay(idem) : result;
}

function assertMayCharge(account: AccountContext, body: DepositRequest) {
  assertActive(account);
  if (body.amount < env.MIN_CASHIN) throw new AppError("amount_below_minimum");
  const ceiling = env.MAX_CASHIN_WITHOUT_FEE;
  if (account.pixFee.basisPoints === null && ceiling > 0 && body.amount > ceiling) {
    throw new AppError("max_cashin_without_fee");
  }
  if (body.webhook_url) assertUrlShape(body.webhook_url, account.mode);
}

/** The first CTE names the account for the walls; everything that is written reads from it, so it runs first. */
const SCOPE = `scope as materialized (
    select set_config('app.accounts', $1::text, true)::uuid as account, set_config('lock_timeout', '10s', true)
  )`;

const ONE = `with ${SCOPE}, gate as materialized (select account from scope)`;

const FIRST = `with ${SCOPE}, gate as (
    insert into idempotency_keys (account_id, key, request_hash, status, answer)
    select account, $21, $22, $23, $24 from scope
    on conflict do nothing returning account_id as account
  )`;

const WRITE = `, sale as (
    insert into transactions (account_id, id, type, method, origin, status, amount, fee, net, shares, description,
      external_id, client_name, client_email, client_document, client_phone, txid, pix_code, callback, legacy,
      request_id, expires_at, created_at, updated_at)
    select account, $2, 'cash_in', 'pix', 'api', 'pending', $3, $4, $5, $6::jsonb, $7, $8, $9, $10, $11, $12, $13, $14,
      $15::jsonb, $16::jsonb, $17, $18, $19, $19 from gate
  ), happened as (
    insert into events (account_id, id, type, subject_id, data, request_id, occurred_at)
    select account, $20, 'transaction.created', $2, '{"status": "pending", "previous_status": null}', $17, $19 from gate
  ), promised as (
    insert into outbox (name, payload)
    select 'webhooks.dispatch', jsonb_build_object('accountId', account, 'eventId', $20::uuid) from gate
  )
  select true as written from gate`;

const PLAIN = ONE + WRITE;
const ONCE = FIRST + WRITE;
