import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { checkoutMethods } from "@/lib/checkout/methods";
import { runPrepared } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { billingMethods, methodsThat } from "@/lib/methods/methods";
import { decimal } from "@/lib/money";
import { endOf } from "@/lib/payment-links/present";
import { isOnSale } from "@/lib/plans/snapshot";
import { imageUrl } from "@/lib/products/present";
import { railFor } from "@/lib/rails/pix/rails";
import { businessNow } from "@/lib/time/clock";
import { isPaid } from "@/lib/transactions/states";
import { type WayBack, type WayBackRow, wayBackColumn, wayBackIn, wayBackJoin } from "@/lib/way-back/read";
import type { BillingMethod, TransactionMethod } from "@/prisma/client/enums";

/** What a page shows of its seller beside the name: the address of its picture, and whom a payer asks. */
export type SellerOnPage = { imageUrl: string | null; support: { email: string | null; phone: string | null } | null };

/** The same as columns of the account `a`, and from them. */
export const sellerColumns = "a.image_id as seller_image_id, a.support_email, a.support_phone";
export type SellerRow = { seller_image_id: string | null; support_email: string | null; support_phone: string | null };
export const sellerOf = ({ seller_image_id, support_email: email, support_phone: phone }: SellerRow): SellerOnPage => ({
  imageUrl: imageUrl({ imageId: seller_image_id }),
  support: email === null && phone === null ? null : { email, phone },
});

/** What a token offers, as it is now; amount in cents. */
export type Offer = {
  account: AccountContext;
  token: string;
  kind: "payment_link" | "plan";
  status: "open" | "expired" | "used_up";
  name: string;
  description: string | null;
  imageUrl: string | null;
  amount: number;
  periodicityDays: number | null;
  billingMethod: BillingMethod | null;
  methods: TransactionMethod[];
  collectAddress: boolean;
  /** After how many payments a link ends, if after a number. */
  maxPayments: number | null;
  product: { id: string; name: string } | null;
  seller: SellerOnPage;
  wayBack: WayBack;
  /** The seller's, null until it is first asked for. */
  publicKey: string | null;
};

/**
 * What a token offers: a payment link, or a plan, of a seller who may sell. Throws `checkout_not_found` for every other
 * token, whatever the cause.
 */
export async function findOffer(token: string): Promise<Offer> {
  const [row] = isId(token) ? await runPrepared<Row>("checkout_offer", OFFER, [token]) : [];
  if (row?.status !== "approved") throw new AppError("checkout_not_found");
  const account = toContext(row);
  const { product_id, product_name, image_id, public_key, description } = row;
  const link = { expiresAt: row.expires_at, maxPayments: row.max_payments };
  return {
    account,
    token: token.toLowerCase(),
    kind: row.kind,
    status: endOf(link, row.payments, businessNow(account)) ?? "open",
    name: row.kind === "plan" ? row.offered : (product_name ?? row.offered),
    description: row.kind === "plan" ? description || null : product_name && row.offered,
    imageUrl: imageUrl({ imageId: image_id }),
    amount: Number(row.amount),
    periodicityDays: row.periodicity_days,
    billingMethod: row.billing_method,
    methods: methodsOf(account, row.billing_method),
    collectAddress: row.collect_address,
    maxPayments: row.max_payments,
    product: product_id && product_name !== null ? { id: product_id, name: product_name } : null,
    seller: sellerOf(row),
    wayBack: wayBackIn(row, account),
    publicKey: public_key,
  };
}

/**
 * A link can be paid in every way that its seller has; of a plan the billing method decides. A plan by card needs Pix too,
 * by which a refused charge is paid.
 */
function methodsOf(account: AccountContext, billing: BillingMethod | null): TransactionMethod[] {
  const sold = methodsThat(({ feature }) => feature === null || account.features.includes(feature));
  const had = sold.filter((name) => checkoutMethods[name].isThere(account));
  if (!billing) return had;
  const rail = railFor(account);
  const { method, by } = billingMethods[billing];
  const needed = { code: rail, mandate: rail?.automatic, card: rail }[by];
  return needed ? had.filter((name) => name === method) : [];
}

/** Whether nothing is sold for now: the account is full, or its visitors have caused all that they may in a day. */
export const isBusy = ({ isFull, isVisitorsFull }: AccountContext): boolean => isFull || isVisitorsFull;

/** The answer of GET /checkout/{token}. */
export async function readCheckout(token: string) {
  const { account, imageUrl: image_url, seller, ...offer } = await findOffer(token);
  return {
    data: {
      token: offer.token,
      kind: offer.kind,
      status: offer.status,
      mode: account.mode,
      name: offer.name,
      description: offer.description ?? (offer.kind === "plan" ? (offer.product?.name ?? null) : null),
      image_url,
      seller: { name: account.name, image_url: seller.imageUrl, support: seller.support },
      amount: decimal(offer.amount),
      periodicity_days: offer.periodicityDays,
      methods: offer.methods,
      collect_address: offer.collectAddress,
    },
  };
}

type Row = ContextRow &
  SellerRow &
  WayBackRow & {
    kind: Offer["kind"];
    offered: string;
    description: string | null;
    amount: string;
    periodicity_days: number | null;
    billing_method: BillingMethod | null;
    expires_at: Date | null;
    max_payments: number | null;
    payments: number;
    collect_address: boolean;
    product_id: string | null;
    product_name: string | null;
    image_id: string | null;
    public_key: string | null;
  };

/** Payments are counted only where their number is limited, and no further than to the limit. */
const OFFER = `with found as materialized (select checkout_in_scope($1::uuid) as account)
  select ${contextColumns}, ${sellerColumns}, o.kind, o.offered, o.description, o.amount, o.periodicity_days, o.billing_method, o.expires_at,
    o.max_payments, o.collect_address, o.product_id, r.name as product_name, r.image_id, k.key as public_key, ${wayBackColumn},
    coalesce(c.number, 0)::int as payments
  from found
  cross join lateral (select * from accounts where id = found.account offset 0) a
  cross join lateral (
    select 'payment_link' as kind, description as offered, null as description, amount::text, null::int as periodicity_days,
      null as billing_method, expires_at, max_payments, collect_address, product_id, status::text
    from payment_links where account_id = found.account and id = $1::uuid
    union all
    select 'plan', p.name, p.description, v.amount::text, v.periodicity_days, v.billing_method::text, null, null, false,
      p.product_id, p.status::text
    from plans p
    join plan_versions v on v.account_id = p.account_id and v.plan_id = p.id and v.version = p.version
    where p.account_id = found.account and p.id = $1::uuid and 'recurring' = any(a.features)
  ) o
  left join lateral (
    select name, image_id, status from products where account_id = found.account and id = o.product_id offset 0
  ) r on true
  left join lateral (select key from public_keys where account_id = found.account offset 0) k on true
  left join lateral (
    select count(*) as number from (
      select from transactions where account_id = found.account and payment_link_id = $1::uuid
        and ${isPaid()} and o.max_payments is not null limit o.max_payments
    ) counted
  ) c on true
  ${wayBackJoin("found.account", "$1::uuid")}
  where ${isOnSale("o.status", "r.status")}`;
