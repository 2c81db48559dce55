import type { AccountContext } from "@/lib/accounts/context";
import type { SpentToken } from "@/lib/card-tokens/tokenize";
import { mayCrash } from "@/lib/charges/crash-points";
import { ANTIFRAUD, renderCharge } from "@/lib/charges/present";
import { brokenRule, countRecent } from "@/lib/charges/rules";
import type { ChargeBody } from "@/lib/charges/schema";
import { storeCard } from "@/lib/charges/stored-card";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import { claim, keepAnswer } from "@/lib/idempotency";
import { feeOf } from "@/lib/money";
import { canonical, limitKey } from "@/lib/net/address";
import type { Acquirer } from "@/lib/rails/cards/port";
import type { Share } from "@/lib/splits/share";
import { snapshotShares } from "@/lib/splits/snapshot";
import { insertSales, type NewSale } from "@/lib/transactions/insert";
import { moveSales } from "@/lib/transactions/move";
import type { Sale } from "@/lib/transactions/sale";

/** What is charged, for whom and from where. */
export type Order = Omit<ChargeBody, "card">;

/** Takes the card that is charged, in the charge's own transaction: a token's, or one on file. */
export type Take = (tx: Tx) => Promise<SpentToken>;

/** What a charge is begun with: the sale's id, who will be asked, and how the card is taken. */
export type Means = { id: string; acquirer: Acquirer; take: Take };

type Begun = { sale: Sale; shares: Share[]; spent: SpentToken };

/**
 * The first transaction of a charge: the card is taken, our rules are asked, the sale and its history are written, and
 * by when its end must be asked for. Undefined when the key was taken before: whoever took it does the work.
 */
export async function beginCharge(
  account: AccountContext,
  body: Order,
  { id, acquirer, take }: Means,
  { idem, requestId }: Call,
): Promise<Begun | undefined> {
  const fee = feeOf(body.amount, account.cardFee);
  const net = body.amount - fee;
  const shares = body.split.length > 0 ? await snapshotShares(account, net, body.split) : [];
  return forAccount(account.id, async (tx) => {
    if (idem && !(await claim(tx, idem, id))) return undefined;
    const spent = await take(tx);
    const rule = await ruleBroken(tx, account, body, spent);
    const sale = await write(tx, account, body, { id, fee, net, shares, spent, rule, requestId });
    if (body.save_card && spent.tokenId && rule === null) {
      const { ip, user_agent } = body.device;
      const consent = { text: body.save_card.consent, ip, user_agent };
      await storeCard(tx, account, spent, id, body.client.document.number, consent);
    }
    await tx.cardCharge.create({ data: facts(account.id, id, acquirer, body, spent, rule) });
    if (rule !== null && idem) await keepAnswer(tx, idem, renderCharge(idem, sale, requestId));
    mayCrash("charge.unbegun");
    return { sale, shares, spent };
  });
}

async function ruleBroken(tx: Tx, { id: accountId, mode }: AccountContext, body: Order, { fingerprint }: SpentToken) {
  const { amount, device, client } = body;
  const who = { accountId, fingerprint, ip: limitKey(canonical(device.ip)), document: client.document.number };
  const recent = await countRecent(tx, who);
  return brokenRule({ mode, amount, ip: device.ip, email: client.email, fingerprint, ...recent });
}

type Terms = {
  id: string;
  fee: number;
  net: number;
  shares: Share[];
  spent: SpentToken;
  rule: string | null;
  requestId: string;
};

/** The sale and its history: asked for; and refused at once when a rule of ours says so. */
async function write(tx: Tx, account: AccountContext, body: Order, terms: Terms): Promise<Sale> {
  const { id, fee, net, shares, spent, rule, requestId } = terms;
  const { name, email, phone, document } = body.client;
  const sale: NewSale = {
    accountId: account.id,
    id,
    method: "card",
    amount: body.amount,
    fee,
    net,
    shares,
    description: body.description,
    clientName: name,
    clientEmail: email,
    clientDocument: document.number,
    clientPhone: phone,
    cardBrand: spent.brand,
    cardLast4: spent.last4,
    installments: body.installments,
    clientIp: body.device.ip,
    userAgent: body.device.user_agent,
    callback: body.webhook_url ? { url: body.webhook_url, contract: "legacy" } : null,
    requestId,
    createdAt: businessNow(account),
  };
  const [written] = await insertSales(tx, [sale]);
  const moves = rule === null ? [] : [{ accountId: account.id, id, requestId, reason: ANTIFRAUD }];
  const [refused] = await moveSales(tx, "refuse", moves);
  return refused?.sale ?? (written as Sale);
}

const facts = (
  accountId: string,
  transactionId: string,
  { provider }: Acquirer,
  { device, client }: Order,
  { tokenId, fingerprint }: SpentToken,
  rule: string | null,
) => ({
  accountId,
  transactionId,
  tokenId,
  acquirer: provider,
  fingerprint: new Uint8Array(fingerprint),
  document: client.document.number,
  email: client.email,
  ip: limitKey(canonical(device.ip)),
  device,
  rule,
  ...(rule !== null && { answeredAt: new Date() }),
});
