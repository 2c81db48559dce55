import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { spendToken } from "@/lib/card-tokens/tokenize";
import { beginCharge, type Means, type Order, type Take } from "@/lib/charges/begin";
import { mayCrash } from "@/lib/charges/crash-points";
import { askSoon, finishCharge } from "@/lib/charges/finish";
import { presentCharge, refusalOf, renderCharge } from "@/lib/charges/present";
import { findCharge } from "@/lib/charges/resolve";
import type { Charge, ChargeBody } from "@/lib/charges/schema";
import { openStoredCard } from "@/lib/charges/stored-card";
import { isUnderWay, whileUnderWay } from "@/lib/charges/under-way";
import { forAccount } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import { AppError } from "@/lib/errors";
import { respond } from "@/lib/http/answer";
import { findClaimed, findReplay, type Idem, keepAnswer, replay } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { acquirerFor } from "@/lib/rails/cards/port";
import { assertUrlShape } from "@/lib/receivers/url";
import type { Sale } from "@/lib/transactions/sale";

/** A charge is not sent later than this after it was asked for: far earlier than it is given up (`lib/charges/resolve.ts`). */
const SEND_WITHIN_MS = 20_000;
/** Longer than this no charge is under way, whatever a lock says: sent, answered, written down. */
const UNDER_WAY_MS = 40_000;
/** operations.md section 0: how long a repeat waits for the first request. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/**
 * Charges a sealed card, once. The first transaction spends the token and writes the sale; then the acquirer is asked,
 * with no transaction open; the second writes what it said (`lib/charges/finish.ts`). No answer within its time-out is not
 * a refusal: the sale stays pending, and a sweep asks about our id (`lib/charges/resolve.ts`). Where surely nothing was
 * charged the sale fails at once.
 * Throws `account_not_approved`, `account_suspended`, `rail_unavailable`, `card_data_not_accepted`,
 * `DUPLICATE_CARD_TOKEN`, `card_token_expired`, 422 at `card.token`, and what the split throws. A refusal is answered
 * with 402, a sale that failed with 503.
 */
export async function chargeCard(account: AccountContext, body: ChargeBody, call: Call) {
  return charge(account, body, (tx) => spendToken(tx, account.id, body.card.token), call);
}

/**
 * The same with a card on file, for a charge that its holder is not there for: no CVV is sent, because none was kept.
 * Throws `card_not_found` too.
 */
export const chargeStoredCard = (account: AccountContext, order: Order, storedCardId: string, call: Call) =>
  charge(account, order, (tx) => openStoredCard(tx, account.id, storedCardId), call);

async function charge(account: AccountContext, body: Order, take: Take, call: Call) {
  assertMayCharge(account, body);
  const acquirer = acquirerFor(account.mode);
  if (!acquirer) throw new AppError("rail_unavailable");
  const id = newId();
  const run = () => chargeOnce(account, body, { id, acquirer, take }, call);
  const answer = await (call.idem ? whileUnderWay(id, run) : run());
  return answer ?? repeat(account.id, call.idem as Idem, call.requestId);
}

/** Undefined when the key was taken before. */
async function chargeOnce(account: AccountContext, body: Order, means: Means, { idem, requestId }: Call) {
  const startedAt = performance.now();
  const { acquirer } = means;
  const begun = await beginCharge(account, body, means, { idem, requestId });
  if (!begun) return undefined;
  mayCrash("charge.begun");
  const { sale, shares, spent } = begun;
  if (sale.status !== "pending") return answerOf(sale, requestId);

  const { amount, installments } = body;
  const { card, brand, tokenId } = spent;
  const keeps = body.save_card ? "first" : undefined;
  const onFile = tokenId ? keeps : "later";
  const send = async () => {
    if (performance.now() - startedAt > SEND_WITHIN_MS) return { status: "lost" } as const;
    return acquirer.charge({ id: sale.id, amount, installments, card, brand, onFile, softDescriptor: account.name });
  };
  const outcome = await send().catch((error) => {
    log.warn({ transactionId: sale.id, error }, "the acquirer did not answer");
    return null;
  });
  mayCrash("charge.answered");
  // From here on money may have moved: whatever fails, the sweep finishes the sale.
  const finished = await finishCharge({ ...sale, shares }, outcome, { idem, requestId }).catch(async (error) => {
    log.error({ transactionId: sale.id, error }, "a charge was not written down; the sweep will");
    return { sale, isAnswerOurs: !idem || (await keepPending(sale, idem, requestId)) };
  });
  mayCrash("charge.finished");
  return finished.isAnswerOurs ? answerOf(finished.sale, requestId) : replay(idem as Idem);
}

/**
 * Keeps "pending" as the key's answer before it is said: what a repeat hears later is then the same. Resolves to false
 * when another answer stands, and throws `unavailable` when it cannot be kept, so that nothing was said.
 */
const keepPending = (sale: Sale, idem: Idem, requestId: string): Promise<boolean> =>
  forAccount(sale.accountId, (tx) => keepAnswer(tx, idem, renderCharge(idem, sale, requestId))).catch((cause) => {
    throw new AppError("unavailable", { cause });
  });

function answerOf(sale: Sale, requestId: string): Charge | Response {
  const refusal = refusalOf(sale, requestId);
  return refusal ? respond(refusal) : presentCharge(sale);
}

function assertMayCharge(account: AccountContext, { webhook_url }: Order) {
  assertActive(account);
  if (webhook_url) assertUrlShape(webhook_url, account.mode);
}

/**
 * A repeat under a key: its first request may still be at it, and then answers for both; or it is gone, and the answer
 * is rendered from the sale that it left. Throws `idempotency_in_progress` after 10 s of waiting.
 */
async function repeat(accountId: string, idem: Idem, requestId: string): Promise<Response> {
  const transactionId = await forAccount(accountId, (tx) => findClaimed(tx, idem));
  const waitedFrom = performance.now();
  for (;;) {
    const stored = await findReplay(idem);
    if (stored) return stored;
    const { ageMs } = await findCharge({ accountId, transactionId });
    if (ageMs > UNDER_WAY_MS || !(await isUnderWay(transactionId))) break;
    if (performance.now() - waitedFrom > WAIT_MS) throw new AppError("idempotency_in_progress");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await forAccount(accountId, async (tx) => {
    const where = { accountId_id: { accountId, id: transactionId } };
    const sale = await tx.transaction.findUniqueOrThrow({ where });
    await askSoon(tx, sale);
    await keepAnswer(tx, idem, renderCharge(idem, sale, requestId));
  });
  return replay(idem);
}
