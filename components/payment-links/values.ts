import { cents, dayOf } from "@/components/format";
import { decimal } from "@/lib/money";
import type { PaymentLink } from "@/lib/payment-links/schema";
import { endOfDay } from "@/lib/time/calendar";
import { plain } from "@/lib/typed/text";

/** What the form holds; the amount in cents, the last day as YYYY-MM-DD, empty texts for what is not limited. */
export type LinkValues = {
  amount: number;
  description: string;
  product: string;
  expires_at: string;
  max_payments: string;
  collect_address: boolean;
  return_url: string;
  cancel_url: string;
};

export const valuesOf = (link?: PaymentLink): LinkValues => ({
  amount: link ? cents(link.amount) : 0,
  description: link?.description ?? "",
  product: link?.product?.reference_id ?? "",
  expires_at: link?.expires_at ? dayOf(new Date(link.expires_at)) : "",
  max_payments: link?.max_payments ? String(link.max_payments) : "",
  collect_address: link?.collect_address ?? false,
  return_url: link?.return_url ?? "",
  cancel_url: link?.cancel_url ?? "",
});

/** The request's body. A link ends at the end of its last day. */
export const linkBody = ({ amount, product, expires_at, max_payments, ...rest }: LinkValues) => ({
  ...rest,
  amount: decimal(amount),
  product: product || null,
  expires_at: expires_at ? new Date(endOfDay(expires_at).getTime() - 1_000).toISOString() : null,
  max_payments: max_payments ? Number(plain(max_payments)) : null,
});
