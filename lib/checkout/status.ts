import type { CheckoutStatus } from "@/lib/checkout/schema";
import { businessTime, iso, isoOrNull } from "@/lib/clock";
import type { Row } from "@/lib/columns";
import { statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { decimal } from "@/lib/money";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import { paid } from "@/lib/transactions/states";
import type { MandateStatus, Mode } from "@/prisma/client/enums";

/** One payment of a page of ours as it is now. */
export type Payment = {
  sale: Sale;
  status: CheckoutStatus["status"];
  secondsLeft: number | null;
  seller: string;
  isTest: boolean;
  automatic: CheckoutStatus["automatic"];
};

/**
 * Reads a payment that began on the page of this token; it does not matter whether the page still sells. Throws
 * `checkout_not_found` for every other, whatever the cause.
 */
export async function findPayment(token: string, id: string): Promise<Payment> {
  const [row] = isId(token) && isId(id) ? await statement<Found>("checkout_payment", PAYMENT, [token, id]) : [];
  if (!row) throw new AppError("checkout_not_found");
  const sale = saleOf(row.sale);
  const now = businessTime({ clockOffsetMs: Number(row.clock_offset_ms) }, new Date());
  const left = sale.expiresAt && Math.max(0, Math.ceil((sale.expiresAt.getTime() - now.getTime()) / 1000));
  return {
    sale,
    status: statusOf(sale, left),
    secondsLeft: left,
    seller: row.seller,
    isTest: row.mode === "sandbox",
    automatic: row.mandate && (automaticOf[row.mandate] ?? "off"),
  };
}

/** Whether Pix Automático is authorised. A mandate of any other status debits nothing, or nothing more. */
const automaticOf: Partial<Record<MandateStatus, "pending" | "authorised">> = {
  created: "pending",
  approved: "authorised",
};

/** A code whose time is over counts as expired before the sweep has marked it. */
function statusOf({ status }: Sale, left: number | null): CheckoutStatus["status"] {
  if (paid.includes(status)) return "paid";
  if (status === "pending") return left === 0 ? "expired" : "pending";
  return status === "expired" ? "expired" : "failed";
}

/** The answer of GET /checkout/{token}/status. */
export async function readPayment(token: string, id: string): Promise<{ data: CheckoutStatus }> {
  const { sale, status, secondsLeft, automatic } = await findPayment(token, id);
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

type Found = { sale: Row; clock_offset_ms: string; seller: string; mode: Mode; mandate: MandateStatus | null };

const PAYMENT = `with found as materialized (select checkout_in_scope($1::uuid) as account)
  select to_jsonb(t) as sale, a.clock_offset_ms::text as clock_offset_ms, a.name as seller, a.mode,
    m.status as mandate
  from found
  cross join lateral (
    select * from transactions where account_id = found.account and id = $2::uuid
      and (payment_link_id = $1::uuid or (plan_id = $1::uuid and origin <> 'api')) offset 0
  ) t
  cross join lateral (select clock_offset_ms, name, mode from accounts where id = found.account offset 0) a
  left join lateral (
    select mandates.status::text from subscriptions
    join mandates on mandates.account_id = found.account and mandates.id = subscriptions.mandate_id
    where subscriptions.account_id = found.account and subscriptions.id = t.subscription_id offset 0
  ) m on true`;
