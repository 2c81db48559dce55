import { living, paidCycles } from "@/lib/billing/states";
import { type SellerOnPage, type SellerRow, sellerColumns, sellerOf } from "@/lib/checkout/find";
import type { CheckoutStatus } from "@/lib/checkout/schema";
import type { Row } from "@/lib/database/json-rows";
import { runPrepared } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { isBilledByCard } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { spendSlot } from "@/lib/rate-limits/spend-slot";
import { inSql } from "@/lib/states";
import { actions } from "@/lib/subscriptions/actions";
import { businessTime, iso, isoOrNull, realNow } from "@/lib/time/clock";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import { paid } from "@/lib/transactions/states";
import { type WayBack, type WayBackRow, wayBackColumn, wayBackIn, wayBackJoin } from "@/lib/way-back/read";
import type { AccountStatus, BillingMethod, MandateStatus, Mode, SubscriptionStatus } from "@/prisma/client/enums";

/** One payment of a page of ours as it is now. */
export type Payment = {
  sale: Sale;
  status: CheckoutStatus["status"];
  secondsLeft: number | null;
  /** When the code ends, by the account's clock. */
  endsAt: Date | null;
  seller: string;
  sellerOnPage: SellerOnPage;
  wayBack: WayBack;
  isTest: boolean;
  automatic: CheckoutStatus["automatic"];
  /** Whether it is of a subscription that is not cancelled. */
  isOfLiving: boolean;
  /** False where the subscription that it was for owes it no more, or nothing can be charged for its seller. */
  isOwed: boolean;
  /** Of one that is over, the payment in its place: what both are for was paid by it, or can be. */
  successor: string | null;
};

/**
 * Reads a payment that began on the page of this token; it does not matter whether the page still sells. Throws
 * `checkout_not_found` for every other, whatever the cause.
 */
export async function findPayment(token: string, id: string): Promise<Payment> {
  const [row] = isId(token) && isId(id) ? await runPrepared<Found>("checkout_payment", PAYMENT, [token, id]) : [];
  if (!row) throw new AppError("checkout_not_found");
  const sale = saleOf(row.sale);
  const clockOffsetMs = Number(row.clock_offset_ms);
  const now = businessTime({ clockOffsetMs }, realNow());
  const left = sale.expiresAt && Math.max(0, Math.ceil((sale.expiresAt.getTime() - now.getTime()) / 1000));
  const status = statusOf(sale, left);
  return {
    sale,
    status,
    secondsLeft: left,
    endsAt: sale.expiresAt,
    seller: row.seller,
    sellerOnPage: sellerOf(row),
    wayBack: wayBackIn(row, { mode: row.mode, status: row.account_status }),
    isTest: row.mode === "sandbox",
    automatic: row.mandate && (automaticOf[row.mandate] ?? "off"),
    ...chargeOf(sale, status, row.charge),
  };
}

/** How it stands with the charge of a subscription that this payment was for. */
function chargeOf({ id }: Sale, status: Payment["status"], charge: Charge | null) {
  if (!charge) return { isOfLiving: false, isOwed: true, successor: null };
  const isOwed = actions.resend_charge({
    ...{ status: charge.status, isPaused: charge.is_paused, isOwing: charge.is_owed, isEnding: charge.is_ending },
    isByCard: isBilledByCard(charge.billing_method),
  });
  const isOver = status === "expired" || status === "failed";
  const isOfLiving = living.includes(charge.status);
  return { isOfLiving, isOwed, successor: isOver && charge.successor !== id ? charge.successor : null };
}

/** Whether Pix Automático is authorised. A mandate of any other status debits nothing, or nothing more. */
const automaticOf: Partial<Record<MandateStatus, "pending" | "authorised">> = {
  created: "pending",
  approved: "authorised",
};

/** A code whose time is over counts as expired before the loop has marked it. */
function statusOf({ status }: Sale, left: number | null): CheckoutStatus["status"] {
  if (paid.includes(status)) return "paid";
  if (status === "pending") return left === 0 ? "expired" : "pending";
  return status === "expired" ? "expired" : "failed";
}

/**
 * The answer of GET /checkout/{token}/status. A slot of the payment's limit is spent once the payment is found, because each
 * made-up id would have a row of its own there. Throws `rate_limit_exceeded`.
 */
export async function readPayment(token: string, id: string): Promise<{ data: CheckoutStatus }> {
  const { sale, status, secondsLeft, automatic } = await findPayment(token, id);
  await spendSlot("checkout-status", sale.id);
  const isPending = status === "pending";
  return {
    data: {
      payment: sale.id,
      status,
      method: sale.method,
      amount: decimal(sale.amount),
      pix_code: isPending ? sale.pixCode : null,
      expires_at: sale.expiresAt && iso(sale.expiresAt),
      seconds_left: isPending ? secondsLeft : null,
      paid_at: status === "paid" ? isoOrNull(sale.paidAt) : null,
      end_to_end_id: status === "paid" ? sale.endToEndId : null,
      automatic,
    },
  };
}

type Found = SellerRow &
  WayBackRow & {
    sale: Row;
    clock_offset_ms: string;
    seller: string;
    mode: Mode;
    account_status: AccountStatus;
    mandate: MandateStatus | null;
    charge: Charge | null;
  };

type Charge = {
  status: SubscriptionStatus;
  is_paused: boolean;
  is_ending: boolean;
  is_owed: boolean;
  billing_method: BillingMethod;
  successor: string | null;
};

const PAYMENT = `with found as materialized (select checkout_in_scope($1::uuid) as account)
  select to_jsonb(t) as sale, a.clock_offset_ms::text as clock_offset_ms, a.name as seller, a.mode, a.status::text as account_status, ${wayBackColumn}, ${sellerColumns},
    m.status as mandate, to_jsonb(c) as charge
  from found
  cross join lateral (
    select * from transactions where account_id = found.account and id = $2::uuid
      and (payment_link_id = $1::uuid or (plan_id = $1::uuid and origin <> 'api')) offset 0
  ) t
  cross join lateral (
    select clock_offset_ms, name, mode, status, image_id, support_email, support_phone from accounts where id = found.account offset 0
  ) a
  left join lateral (
    select mandates.status::text from subscriptions
    join mandates on mandates.account_id = found.account and mandates.id = subscriptions.mandate_id
    where subscriptions.account_id = found.account and subscriptions.id = t.subscription_id offset 0
  ) m on true
  left join lateral (
    select s.status, s.paused_at is not null as is_paused, s.ends_at is not null as is_ending,
      s.cycle_id is not distinct from c.id and a.status = 'approved' as is_owed, v.billing_method,
      case when c.status in ${inSql(paidCycles)} then c.transaction_id when c.status = 'pending' then c.code_sale_id end as successor
    from (select * from cycles where account_id = found.account and id = t.cycle_id offset 0) c
    cross join lateral (select * from subscriptions where account_id = found.account and id = c.subscription_id offset 0) s
    cross join lateral (
      select * from plan_versions where account_id = found.account and plan_id = s.plan_id and version = s.plan_version offset 0
    ) v
  ) c on true
  ${wayBackJoin("found.account", "$1::uuid")}`;
