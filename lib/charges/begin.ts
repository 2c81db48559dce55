import type { AccountContext } from "@/lib/accounts/context";
import type { SpentToken } from "@/lib/card-tokens/tokenize";
import { ANTIFRAUD } from "@/lib/charges/present";
import { brokenRule, countRecent } from "@/lib/charges/rules";
import type { ChargeBody } from "@/lib/charges/schema";
import { type KeptCard, storeCard } from "@/lib/charges/stored-card";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { canonical, limitKey } from "@/lib/net/address";
import type { Sold } from "@/lib/plans/snapshot";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";
import { insertSales, type NewSale, type PageSale } from "@/lib/transactions/insert";
import { moveSales } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";
import { trackingOf, type Untracked } from "@/lib/transactions/tracking";

/** What is charged, for whom and from where. */
export type Order = Untracked<Omit<ChargeBody, "card" | "client">> & {
  client: Omit<ChargeBody["client"], "phone"> & { phone: string | null };
  /** Of a sale on a page of ours. */
  page?: PageSale;
};

/** Spends a token, or opens a card on file, in the charge's own transaction. */
export type Spend = (tx: Tx) => Promise<SpentToken>;

/** Of a charge of a subscription. */
type OfCycle = Pick<Sale, "origin" | "subscriptionId" | "cycleId"> & Pick<NewSale, "tracking">;

/** The sale's id and amounts, and the card that pays it. */
type Terms = {
  id: string;
  fee: number;
  net: number;
  sold: (Sold & Partial<OfCycle> & Pick<PageSale["columns"], "byVisitor">) | PageSale["columns"];
  spend: Spend;
};

/**
 * The first transaction of a charge: it spends the token, checks our rules, and writes the sale and its event. The sale
 * is refused at once when it breaks one of our rules.
 */
export async function beginCharge(
  tx: Tx,
  account: AccountContext,
  order: Order,
  { spend, ...terms }: Terms,
  requestId: string,
): Promise<{ sale: Sale; spent: SpentToken; kept: KeptCard | null }> {
  const { id } = terms;
  await order.page?.admit(tx);
  const spent = await spend(tx);
  const rule = await ruleBroken(tx, account, order, spent);
  const sale = await write(tx, account, order, { ...terms, spent, rule, requestId });
  let kept: KeptCard | null = null;
  if (order.save_card && spent.tokenId && rule === null) {
    const { ip, user_agent } = order.device;
    const consent = { text: order.save_card.consent, ip, user_agent };
    kept = await storeCard(tx, account, spent, id, order.client.document.number, consent);
  }
  await tx.cardCharge.create({ data: facts(account.id, id, order, spent, rule) });
  return { sale, spent, kept };
}

/** What our rules ask of a card: for what amount, from where and by whom it is given. */
type Tried = {
  amount: number;
  device: { ip: string; user_agent: string };
  client: Pick<Order["client"], "email" | "document">;
};

/** How often a payer may put another card in place of a subscription's own, in 24 hours. */
const CHANGES_A_DAY = 5;

/**
 * Judges a card that a payer puts in place of a subscription's own, as a charge of it is judged, and counts it as one.
 * Whoever calls it holds the subscription. Returns whether our rules allow it. Throws `rate_limit_exceeded` above
 * the changes of a day.
 */
export async function admitChange(
  tx: Tx,
  account: AccountContext,
  subscriptionId: string,
  tried: Tried,
  spent: SpentToken,
): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from card_charges
    where account_id = ${account.id}::uuid and document = ${tried.client.document.number}
      and created_at > now() - interval '1 day' and subscription_id = ${subscriptionId}::uuid`;
  if (row && row.count >= CHANGES_A_DAY) throw new AppError("rate_limit_exceeded", { retryAfterMs: DAY_MS });
  const rule = await ruleBroken(tx, account, tried, spent);
  await tx.cardCharge.create({ data: { ...facts(account.id, newId(), tried, spent, rule), subscriptionId } });
  return rule === null;
}

async function ruleBroken(tx: Tx, { id: accountId, mode }: AccountContext, order: Tried, { fingerprint }: SpentToken) {
  const { amount, device, client } = order;
  const who = { accountId, fingerprint, ip: limitKey(canonical(device.ip)), document: client.document.number };
  const recent = await countRecent(tx, who);
  return brokenRule({ mode, amount, ip: device.ip, email: client.email, fingerprint, ...recent });
}

type Written = Omit<Terms, "spend"> & { spent: SpentToken; rule: string | null; requestId: string };

async function write(tx: Tx, account: AccountContext, order: Order, written: Written): Promise<Sale> {
  const { id, fee, net, sold, spent, rule, requestId } = written;
  const { name, email, phone, document } = order.client;
  const [sale] = await insertSales(tx, [
    {
      accountId: account.id,
      id,
      method: "card",
      amount: order.amount,
      fee,
      net,
      shares: [],
      tracking: trackingOf(order),
      ...sold,
      description: order.description,
      clientName: name,
      clientEmail: email,
      clientDocument: document.number,
      clientPhone: phone,
      cardBrand: spent.brand,
      cardLast4: spent.last4,
      installments: order.installments,
      clientIp: order.device.ip,
      userAgent: order.device.user_agent,
      callback: order.webhook_url ? { url: order.webhook_url, contract: "legacy" } : null,
      requestId,
      createdAt: businessNow(account),
    },
  ]);
  const moves = rule === null ? [] : [{ accountId: account.id, id, requestId, reason: ANTIFRAUD, isHard: false }];
  const [refused] = await moveSales(tx, "refuse", moves);
  return refused?.sale ?? (sale as Sale);
}

const facts = (
  accountId: string,
  transactionId: string,
  { device, client }: Tried,
  { tokenId, fingerprint }: SpentToken,
  rule: string | null,
) => ({
  accountId,
  transactionId,
  tokenId,
  fingerprint: new Uint8Array(fingerprint),
  document: client.document.number,
  email: client.email,
  ip: limitKey(canonical(device.ip)),
  device,
  rule,
});
