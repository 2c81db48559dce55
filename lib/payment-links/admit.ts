import { isDeepStrictEqual } from "node:util";
import type { AccountContext } from "@/lib/accounts/context";
import type { Row } from "@/lib/database/json-rows";
import { type Query, queryOf, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt } from "@/lib/ids";
import { methods, methodsThat } from "@/lib/methods/methods";
import { networkOf } from "@/lib/net/address";
import { endOf } from "@/lib/payment-links/present";
import { startsFromSql } from "@/lib/states";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";
import { moveSales } from "@/lib/transactions/move";
import { type Sale, saleOf } from "@/lib/transactions/sale";
import type { DeliveryAddress } from "@/lib/transactions/schema";
import { isByCode, isPaid, paid, transitions } from "@/lib/transactions/states";
import type { TransactionMethod } from "@/prisma/client/enums";

type Asked = {
  linkId: string;
  /** The amount that the payer saw, in cents. */
  amount: number;
  method: TransactionMethod;
  payer: Payer;
  /** The payer's own code, which the new payment takes the place of. */
  replaces?: string | undefined;
};

/** Who asks, and from which address. */
type Payer = {
  name: string;
  email: string;
  document: string;
  phone: string | null;
  deliveryAddress: DeliveryAddress | null;
  ip: string;
};

/**
 * Admits one more payment of a link, in the transaction that writes its sale. Of a link with a number of payments the row
 * is locked, so that open codes and payments together never pass it, and that one visitor keeps few of its places
 * (`admitCode`). Resolves to the payer's own open code where that is given again and no sale is to be written. What is paid
 * after its time counts, and is credited, all the same. Throws `checkout_not_found`, `checkout_paid`, `checkout_changed`,
 * `checkout_expired`, `checkout_used_up`, `checkout_busy`, `checkout_unpaid`.
 */
export async function admitPayment(tx: Tx, account: AccountContext, asked: Asked): Promise<Sale | undefined> {
  const { linkId, amount, replaces } = asked;
  const link = await tx.paymentLink.findUnique({ where: { accountId_id: { accountId: account.id, id: linkId } } });
  if (link?.status !== "active") throw new AppError("checkout_not_found");
  if (replaces) await expireReplaced(tx, account.id, linkId, replaces);
  if (Number(link.amount) !== amount) throw new AppError("checkout_changed");
  const now = businessNow(account);
  const { maxPayments } = link;
  const query = queryOf(tx);
  const key = [account.id, linkId];
  if (maxPayments !== null) await query("payment_link_lock", LOCK, key);
  const counts = maxPayments === null ? NONE : await count(query, [...key, now]);
  const end = endOf(link, counts.paid, now);
  if (end) throw new AppError(`checkout_${end}`);
  if (maxPayments === null) return undefined;
  const { again, ended } = await findOwn(tx, key, now, asked);
  if (again) return again;
  if (methods[asked.method].byCode) await admitCode(query, key, now, asked.payer.ip, maxPayments);
  if (counts.paid + counts.open - ended >= maxPayments) throw busy(counts.until, now);
}

const NONE = { paid: 0, open: 0, until: null };
const BUSY_MS = 60_000;

const busy = (until: Date | null, now: Date) =>
  new AppError("checkout_busy", {
    retryAfterMs: Math.max(1_000, (until?.getTime() ?? now.getTime() + BUSY_MS) - +now),
  });

/** Ends an open code of this link, whose payer wants to pay otherwise. Throws `checkout_paid` where it was paid. */
async function expireReplaced(tx: Tx, accountId: string, linkId: string, id: string) {
  const where = { accountId, id, paymentLinkId: linkId };
  const method = { in: methodsThat(({ byCode }) => byCode) };
  if ((await tx.transaction.count({ where: { ...where, method } })) === 0) return;
  const ended = await moveSales(tx, "expire", [{ accountId, id }]);
  if (ended.length > 0) return;
  const isPaid = (await tx.transaction.count({ where: { ...where, status: { in: [...paid] } } })) > 0;
  if (isPaid) throw new AppError("checkout_paid");
}

type Counts = { paid: number; open: number; until: Date | null };

/** `until` is when the first open code ends. */
async function count(query: Query, key: unknown[]): Promise<Counts> {
  const [counts] = await query<Counts>("payment_link_count", COUNT, key);
  return counts ?? NONE;
}

/**
 * The visitor's own open code: of the same document from the same network. It is given again where it would be the same
 * one; otherwise it ends, and the payment that is asked for takes its place. `ended` is how many ended.
 */
async function findOwn(tx: Tx, key: unknown[], now: Date, { amount, method, payer }: Asked) {
  const { ip, document, ...typed } = payer;
  const rows = await queryOf(tx)<{ sale: Row }>("payment_link_own", OWN, [...key, now, networkOf(ip), document]);
  const own = rows.map(({ sale }) => saleOf(sale));
  const soon = new Date(now.getTime() + ENDS_SOON_MS);
  const isSame = (sale: Sale) => {
    const { clientName: name, clientEmail: email, clientPhone: phone, deliveryAddress, expiresAt } = sale;
    if (sale.method !== method) return false;
    const isPayable = sale.pixCode !== null && Number(sale.amount) === amount && expiresAt !== null && expiresAt > soon;
    return isPayable && isDeepStrictEqual({ name, email, phone, deliveryAddress }, typed);
  };
  const again = own.find(isSame);
  if (again) return { again, ended: 0 };
  const moved = await moveSales(
    tx,
    "expire",
    own.map(({ accountId, id }) => ({ accountId, id })),
  );
  return { again: undefined, ended: moved.length };
}

/** A code that ends so soon is not given again. */
const ENDS_SOON_MS = 60_000;
/** A network has this many open codes of a link at once, or a fourth of its payments where that is more. */
const HELD = 3;
/** So many of a network's codes may end unpaid in a day, or as many as the link has payments. */
const UNPAID_A_DAY = 6;

/**
 * Admits one more code of a link with a number of payments to a network, whoever asks there, since documents can be made
 * up. Throws `checkout_busy` and `checkout_unpaid` with the time to wait.
 */
async function admitCode(query: Query, key: unknown[], now: Date, ip: string, maxPayments: number) {
  const since = new Date(now.getTime() - DAY_MS);
  const [found] = await query<Kept>("payment_link_kept", KEPT, [...key, now, networkOf(ip), firstIdAt(since)]);
  const { held, until, unpaid, first } = found ?? { held: 0, until: null, unpaid: 0, first: null };
  if (held >= Math.max(HELD, Math.floor(maxPayments / 4))) throw busy(until, now);
  if (unpaid < Math.max(UNPAID_A_DAY, maxPayments)) return;
  throw new AppError("checkout_unpaid", { retryAfterMs: Math.max(1_000, (first ?? now).getTime() + DAY_MS - +now) });
}

/** Of one network: its open codes and when the first one ends; those that ended unpaid and when the first one was made. */
type Kept = { held: number; until: Date | null; unpaid: number; first: Date | null };

const LOCK = "select id from payment_links where account_id = $1::uuid and id = $2::uuid for no key update";

const OPEN = "(status = 'pending' and (expires_at is null or expires_at > $3::timestamptz))";

const COUNT = `select count(*) filter (where ${isPaid()})::int as paid,
    count(*) filter (where status = 'pending')::int as open, min(expires_at) filter (where status = 'pending') as until
  from transactions
  where account_id = $1::uuid and payment_link_id = $2::uuid and (${isPaid()} or ${OPEN})`;

const OWN = `select to_jsonb(t) as sale from transactions t
  where account_id = $1::uuid and payment_link_id = $2::uuid and ${OPEN} and ${isByCode()}
    and client_document = $5 and client_ip::inet <<= $4::inet`;

const KEPT = `select count(*) filter (where ${OPEN})::int as held, min(expires_at) filter (where ${OPEN}) as until,
    count(*) filter (where not ${OPEN})::int as unpaid, min(created_at) filter (where not ${OPEN}) as first
  from transactions
  where account_id = $1::uuid and payment_link_id = $2::uuid and ${startsFromSql(transitions.pay)} and ${isByCode()}
    and id >= $5::uuid and client_ip::inet <<= $4::inet`;
