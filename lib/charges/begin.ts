import type { AccountContext } from "@/lib/accounts/context";
import type { SpentToken } from "@/lib/card-tokens/tokenize";
import { mayCrash } from "@/lib/charges/crash-points";
import { ANTIFRAUD, renderCharge } from "@/lib/charges/present";
import { brokenRule, countRecent } from "@/lib/charges/rules";
import type { ChargeBody } from "@/lib/charges/schema";
import { storeCard } from "@/lib/charges/stored-card";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import { emit } from "@/lib/events";
import { claim, type Intent, keepAnswer } from "@/lib/idempotency";
import { feeOf } from "@/lib/money";
import { canonical, limitKey } from "@/lib/net/address";
import type { Acquirer } from "@/lib/rails/cards/port";
import { type Share, snapshotShares } from "@/lib/splits/snapshot";
import type { Transaction } from "@/prisma/client/client";

/** What is charged, for whom and from where. */
export type Order = Omit<ChargeBody, "card">;

/** Takes the card that is charged, in the charge's own transaction: a token's, or one on file. */
export type Take = (tx: Tx) => Promise<SpentToken>;

/** What a charge is begun with: the sale's id, who will be asked, and how the card is taken. */
export type Means = { id: string; acquirer: Acquirer; take: Take };

type Begun = { sale: Transaction; spent: SpentToken };

/**
 * The first transaction of a charge: the card is taken, our rules are asked, the sale and its history are written, and
 * by when its end must be asked for. Undefined when the key was taken before: whoever took it does the work.
 */
export async function beginCharge(
  account: AccountContext,
  body: Order,
  { id, acquirer, take }: Means,
  { idem, requestId }: Intent,
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
    return { sale, spent };
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
async function write(tx: Tx, account: AccountContext, body: Order, terms: Terms): Promise<Transaction> {
  const { id, fee, net, shares, spent, rule, requestId } = terms;
  const now = businessNow(account);
  const { name, email, phone, document } = body.client;
  const status = rule === null ? "pending" : "refused";
  const sale = await tx.transaction.create({
    data: {
      accountId: account.id,
      id,
      type: "card",
      method: "card",
      status,
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
      ...(rule !== null && { refusedReason: ANTIFRAUD }),
      ...(body.webhook_url && { callback: { url: body.webhook_url, contract: "legacy" } }),
      requestId,
      createdAt: now,
      updatedAt: now,
    },
  });
  const event = { accountId: account.id, subjectId: id, requestId, occurredAt: now };
  await emit(tx, { ...event, type: "transaction.created", data: { status: "pending", previous_status: null } });
  if (rule === null) return sale;
  await emit(tx, { ...event, type: "transaction.updated", data: { status, previous_status: "pending" } });
  return sale;
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
