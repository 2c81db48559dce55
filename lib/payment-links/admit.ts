import type { AccountContext } from "@/lib/accounts/context";
import { businessNow } from "@/lib/clock";
import { queryOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { endOf } from "@/lib/payment-links/present";
import { moveSales } from "@/lib/transactions/move";
import { inSql, paid } from "@/lib/transactions/states";

type Asked = {
  linkId: string;
  /** The amount that the payer saw, in cents. */
  amount: number;
  /** The payer's own open code, which the new payment takes the place of. */
  replaces?: string | undefined;
};

/**
 * Admits one more payment of a link, in the transaction that writes its sale. Of a link with a number of payments the row
 * is locked, so that open codes and payments together never pass it. What is paid after its time counts, and is credited,
 * all the same. Throws `checkout_not_found`, `checkout_changed`, `checkout_expired`, `checkout_used_up`, `checkout_busy`.
 */
export async function admitPayment(tx: Tx, account: AccountContext, { linkId, amount, replaces }: Asked) {
  const link = await tx.paymentLink.findUnique({ where: { accountId_id: { accountId: account.id, id: linkId } } });
  if (link?.status !== "active") throw new AppError("checkout_not_found");
  if (Number(link.amount) !== amount) throw new AppError("checkout_changed");
  if (replaces) await expireOwn(tx, account.id, linkId, replaces);
  const now = businessNow(account);
  const counts = link.maxPayments === null ? NONE : await count(tx, account.id, linkId, now);
  const end = endOf(link, counts.paid, now);
  if (end) throw new AppError(`checkout_${end}`);
  if (link.maxPayments !== null && counts.paid + counts.open >= link.maxPayments) throw busy(counts.until, now);
}

const NONE = { paid: 0, open: 0, until: null };
const BUSY_MS = 60_000;

const busy = (until: Date | null, now: Date) =>
  new AppError("checkout_busy", {
    retryAfterMs: Math.max(1_000, (until?.getTime() ?? now.getTime() + BUSY_MS) - +now),
  });

/** Ends an open code of this link. One that was paid or has ended stays as it is. */
async function expireOwn(tx: Tx, accountId: string, linkId: string, id: string) {
  const own = await tx.transaction.count({ where: { accountId, id, paymentLinkId: linkId, method: "pix" } });
  if (own > 0) await moveSales(tx, "expire", [{ accountId, id }]);
}

type Counts = { paid: number; open: number; until: Date | null };

/** `until` is when the first open code ends. */
async function count(tx: Tx, accountId: string, linkId: string, now: Date): Promise<Counts> {
  const query = queryOf(tx);
  await query("payment_link_lock", LOCK, [accountId, linkId]);
  const [counts] = await query<Counts>("payment_link_count", COUNT, [accountId, linkId, now]);
  return counts ?? NONE;
}

const LOCK = "select id from payment_links where account_id = $1::uuid and id = $2::uuid for no key update";

const COUNT = `select count(*) filter (where status in ${inSql(paid)})::int as paid,
    count(*) filter (where status = 'pending')::int as open, min(expires_at) filter (where status = 'pending') as until
  from transactions
  where account_id = $1::uuid and payment_link_id = $2::uuid
    and (status in ${inSql(paid)} or (status = 'pending' and (expires_at is null or expires_at > $3::timestamptz)))`;
