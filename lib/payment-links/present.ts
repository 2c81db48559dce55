import { env } from "@/lib/env";
import { decimal } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/schema";
import { imageUrl } from "@/lib/products/present";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Prisma } from "@/prisma/client/client";

/** What `presentPaymentLink` needs beside the link's own row. */
export const withProduct = { product: true } satisfies Prisma.PaymentLinkInclude;
export type PaymentLinkRow = Prisma.PaymentLinkGetPayload<{ include: typeof withProduct }>;

/** `payments` is how many were made; `now` is the account's. */
export const presentPaymentLink = (row: PaymentLinkRow, payments: number, now: Date): PaymentLink => ({
  token: row.id,
  url: `${env.APP_URL}/checkout/${row.id}`,
  status: row.status,
  accepts_payments:
    row.status === "active" && (row.product?.status ?? "active") === "active" && !endOf(row, payments, now),
  amount: decimal(row.amount),
  description: row.description,
  product: row.product && {
    reference_id: row.product.id,
    name: row.product.name,
    image_url: imageUrl(row.product),
  },
  expires_at: isoOrNull(row.expiresAt),
  max_payments: row.maxPayments,
  payments_count: payments,
  payments_above_max: row.maxPayments === null ? 0 : Math.max(0, payments - row.maxPayments),
  collect_address: row.collectAddress,
  return_url: row.returnUrl,
  cancel_url: row.cancelUrl,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

type Ends = { expiresAt: Date | null; maxPayments: number | null };

/** Why an active link takes no more payments, or null while it does. */
export function endOf({ expiresAt, maxPayments }: Ends, payments: number, now: Date): "expired" | "used_up" | null {
  if (maxPayments !== null && payments >= maxPayments) return "used_up";
  return expiresAt && expiresAt <= now ? "expired" : null;
}
