import type { AccountContext } from "@/lib/accounts/context";
import { mayCrash } from "@/lib/cards/crash-points";
import { type Asked, finishCharge, resolveCharge } from "@/lib/cards/finish";
import { ANTIFRAUD, presentCharge, refusalOf } from "@/lib/cards/present";
import { brokenRule, countRecent } from "@/lib/cards/rules";
import type { Charge, ChargeBody } from "@/lib/cards/schema";
import { type SpentToken, spendToken } from "@/lib/cards/seal";
import { openStoredCard, storeCard } from "@/lib/cards/stored";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import { type Share, snapshotShares } from "@/lib/deposits/shares";
import { AppError } from "@/lib/errors";
import { emit } from "@/lib/events";
import { respond } from "@/lib/http/answer";
import { claim, findClaimed, findReplay, type Idem, keepAnswer } from "@/lib/http/idempotency";
import { newId } from "@/lib/ids";
import { enqueue } from "@/lib/jobs/enqueue";
import { feeOf } from "@/lib/money";
import { type Acquirer, acquirerFor } from "@/lib/rails/cards/port";
import { assertUrlShape } from "@/lib/webhooks/url";
import type { Transaction } from "@/prisma/client/client";

/** When the job looks whether a charge was finished: longer than a request can take. */
const RESOLVE_AFTER_MS = 60_000;
/** For so long after it began a charge may still be under way in another request. */
const UNDER_WAY_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * Charges a sealed card, once. The first transaction spends the token and writes the sale; then the acquirer is asked,
 * with no transaction open; the second writes what it said (`lib/cards/finish.ts`, which the `cards.resolve` job runs
 * too). No answer within its time-out is not a refusal: the sale stays pending, and the job asks about our id.
 * Throws `account_not_approved`, `account_suspended`, `rail_unavailable`, `card_data_not_accepted`,
 * `DUPLICATE_CARD_TOKEN`, `card_token_expired`, 422 at `card.token`, and what the split throws. A refusal is a 402.
 */
export async function chargeCard(account: AccountContext, body: ChargeBody, call: Call) {
  if (Object.keys(body.card).some((name) => CARD_DATA.test(name))) throw new AppError("card_data_not_accepted");
  return charge(account, body, (tx) => spendToken(tx, account.id, body.card.token), call);
}

/**
 * The same with a card on file, for a charge that its holder is not there for: no CVV is sent, because none was kept.
 * Throws `card_not_found` too.
 */
export const chargeStoredCard = (account: AccountContext, order: Order, storedCardId: string, call: Call) =>
  charge(account, order, (tx) => openStoredCard(tx, account.id, storedCardId), call);

/** What is charged, for whom and from where. */
export type Order = Omit<ChargeBody, "card">;

type Take = (tx: Tx) => Promise<SpentToken>;

async function charge(account: AccountContext, body: Order, take: Take, { idem, requestId }: Call) {
  assertMayCharge(account, body);
  const acquirer = acquirerFor(account.mode);
  if (!acquirer) throw new AppError("rail_unavailable");
  const begun = await begin(account, body, acquirer, take, { idem, requestId });
  if (!begun) return repeat(account.id, idem as Idem, requestId);
  mayCrash("charge.begun");
  const { sale, card } = begun;
  if (sale.status !== "pending") return answerOf(sale, requestId);

  const asked: Asked = { accountId: account.id, transactionId: sale.id };
  const { id, installments } = { id: sale.id, installments: body.installments };
  const softDescriptor = account.name.slice(0, 22);
  const outcome = await acquirer
    .charge({ id, amount: body.amount, installments, card, softDescriptor })
    .catch(() => null);
  mayCrash("charge.answered");
  const finished = await finishCharge(asked, outcome, { idem, requestId });
  mayCrash("charge.finished");
  return answerOf(finished, requestId);
}

function answerOf(sale: Transaction, requestId: string): Charge | Response {
  const refusal = refusalOf(sale, requestId);
  return refusal ? respond(refusal) : presentCharge(sale);
}

const CARD_DATA = /^(pan|number|card_?number|cvv2?|cvc2?|cvn|security_?code|verification_?value)$/i;

function assertMayCharge(account: AccountContext, { webhook_url }: Order) {
  if (account.status === "suspended") throw new AppError("account_suspended");
  if (account.status !== "approved") throw new AppError("account_not_approved", { action: "wait_for_approval" });
  if (webhook_url) assertUrlShape(webhook_url, account.mode);
}

type Begun = { sale: Transaction; card: SpentToken["card"] };

/** The first transaction; undefined when the key was taken before, and whoever took it does the work. */
async function begin(
  account: AccountContext,
  body: Order,
  acquirer: Acquirer,
  take: Take,
  call: Call,
): Promise<Begun | undefined> {
  const { idem, requestId } = call;
  const terms = await forAccount(account.id, (tx) => tx.account.findUniqueOrThrow({ where: { id: account.id } }));
  const fee = feeOf(body.amount, {
    basisPoints: terms.cardFeeBasisPoints,
    fixed: terms.cardFeeFixed,
    minimum: terms.cardFeeMinimum,
  });
  const net = body.amount - fee;
  const shares = body.split.length > 0 ? await snapshotShares(account, net, body.split) : [];
  const id = newId();
  return forAccount(account.id, async (tx) => {
    if (idem && !(await claim(tx, idem, id))) return undefined;
    const spent = await take(tx);
    const rule = await ruleBroken(tx, account, body, spent);
    const sale = await write(tx, account, body, { id, fee, net, shares, spent, rule, requestId });
    if (body.save_card && spent.tokenId && rule === null) {
      const { ip, user_agent } = body.device;
      const consent = { text: body.save_card.consent, ip, user_agent };
      await storeCard(tx, terms, spent.tokenId, id, body.client.document.number, consent);
    }
    await tx.cardCharge.create({ data: facts(account.id, id, acquirer, body, spent, rule) });
    if (rule === null) {
      const runAt = new Date(Date.now() + RESOLVE_AFTER_MS);
      const payload = { accountId: account.id, transactionId: id };
      await enqueue(tx, "cards.resolve", payload, { key: `cards.resolve:${id}`, runAt });
    } else if (idem) {
      await keepAnswer(tx, idem, refusalOf(sale, requestId) ?? idem.render(presentCharge(sale)));
    }
    mayCrash("charge.unbegun");
    return { sale, card: spent.card };
  });
}

async function ruleBroken(tx: Tx, { id: accountId, mode }: AccountContext, body: Order, { fingerprint }: SpentToken) {
  const { amount, device, client } = body;
  const person = { ip: device.ip, document: client.document.number };
  const recent = await countRecent(tx, { accountId, fingerprint, ...person });
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
  ip: device.ip,
  device,
  rule,
  ...(rule !== null && { answeredAt: new Date() }),
});

/**
 * A repeat under a key: its first request may still be asking the acquirer, and then answers for both; or it is gone,
 * and the charge is finished here, from the sale that it left.
 */
async function repeat(accountId: string, idem: Idem, requestId: string): Promise<Response> {
  const { transactionId, createdAt } = await forAccount(accountId, async (tx) => {
    const where = { accountId_transactionId: { accountId, transactionId: await findClaimed(tx, idem) } };
    return tx.cardCharge.findUniqueOrThrow({ where });
  });
  for (;;) {
    const stored = await findReplay(idem);
    if (stored) return stored;
    if (Date.now() - createdAt.getTime() > UNDER_WAY_MS) break;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await resolveCharge({ accountId, transactionId }).catch(() => {});
  await forAccount(accountId, async (tx) => {
    const where = { accountId_id: { accountId, id: transactionId } };
    const now = await tx.transaction.findUniqueOrThrow({ where });
    await keepAnswer(tx, idem, refusalOf(now, requestId) ?? idem.render(presentCharge(now)));
  });
  const stored = await findReplay(idem);
  if (!stored) throw new AppError("idempotency_in_progress");
  return stored;
}
