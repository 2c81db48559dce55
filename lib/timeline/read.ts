import type { AccountContext } from "@/lib/accounts/context";
import { allScopes, type Scope } from "@/lib/auth/scopes";
import { readFor, readForStaff, type Tx } from "@/lib/db";
import { idOfCode as disputeOfCode } from "@/lib/disputes/record";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { idOfCode } from "@/lib/refunds/record";
import { readShares } from "@/lib/splits/read";
import { changesOf, ofAccount, ofProduct, ofWebhook } from "@/lib/timeline/changes";
import { entriesOfDisputes } from "@/lib/timeline/dispute";
import { type Entry, inOrder } from "@/lib/timeline/entry";
import { namesIn, presentActor, staffNames } from "@/lib/timeline/names";
import { entriesOfRefunds } from "@/lib/timeline/refund";
import { entriesOfSale } from "@/lib/timeline/sale";
import { reviewedSubjects, staffSubjects, type Timeline, type TimelineSubject } from "@/lib/timeline/schema";
import { entriesOfSubscription } from "@/lib/timeline/subscription";
import { entriesOfWithdrawal } from "@/lib/timeline/withdrawal";

type Noun = {
  /** What a caller must have to read the record, and so its timeline. */
  scope: Scope;
  gather: (tx: Tx, accountId: string, id: string, scopes: readonly Scope[]) => Promise<Entry[]>;
};

/** Every noun of a seller that has a timeline: who may read it, and what happened around a record, oldest first. */
const nouns: Record<TimelineSubject, Noun> = {
  transaction: { scope: "transactions:read", gather: aroundSale },
  refund: { scope: "refunds:read", gather: aroundRefund },
  withdrawal: { scope: "withdrawals:read", gather: entriesOfWithdrawal },
  dispute: { scope: "disputes:read", gather: aroundDispute },
  subscription: { scope: "subscriptions:read", gather: entriesOfSubscription },
  payment_link: { scope: "transactions:read", gather: (tx, accountId, id) => changesOf(tx, accountId, id) },
  product: {
    scope: "plans:read",
    gather: async (tx, accountId, id) => changesOf(tx, accountId, id, await ofProduct(tx, accountId, id)),
  },
  webhook: {
    scope: "webhooks:read",
    gather: async (tx, accountId, id) => changesOf(tx, accountId, id, await ofWebhook(tx, accountId, Number(id))),
  },
};

/**
 * What happened around a record of an account, newest first by real time, with the account's time of each and who did it.
 * Nothing happened around a record that does not exist. Throws `transaction_not_found` and `subscription_not_found`, also
 * for another account's, `refund_not_found` and `withdrawal_not_found` alike, `not_found` for a noun without a timeline and what is no id, and
 * `insufficient_scope` for a caller that may not read the record.
 */
export async function readTimeline(
  { id: accountId }: AccountContext,
  scopes: readonly Scope[],
  subject: string,
  id: string,
): Promise<Timeline> {
  if (!Object.hasOwn(nouns, subject)) throw new AppError("not_found");
  const { scope, gather } = nouns[subject as TimelineSubject];
  if (!scopes.includes(scope)) throw new AppError("insufficient_scope");
  const key = keyOf(subject, id);
  return readFor(accountId, async (tx) => {
    const gathered = await gather(tx, accountId, key, scopes);
    const maySeeEvents = scopes.includes("webhooks:read");
    const entries = maySeeEvents ? gathered : gathered.map((entry) => ({ ...entry, event: null }));
    return presentTimeline(entries, await aheadOf(tx, accountId), await namesIn(tx, accountId));
  });
}

/** The ids that codes name, by the subjects that have codes. */
const codes: Readonly<Record<string, (code: string) => string | undefined>> = {
  refund: idOfCode,
  dispute: disputeOfCode,
};

/** The id of the record that an address names: a refund or dispute by its code, a webhook by its number. Throws `not_found`. */
function keyOf(subject: string, id: string): string {
  const key = (codes[subject] ?? ((text) => text))(id);
  if (!key || (subject === "webhook" ? !/^\d{1,9}$/.test(key) : !isId(key))) throw new AppError("not_found");
  return key;
}

/**
 * What happened to a record of the operator's console, whose clock is the real one. Throws `not_found` for a noun without
 * a timeline there.
 */
export async function readTimelineForStaff(subject: string, id: string): Promise<Timeline> {
  if (!staffSubjects.some((name) => name === subject)) throw new AppError("not_found");
  return readForStaff(async (tx) => {
    const mail = subject === "mail" ? await tx.mail.findUnique({ where: { id }, select: { accountId: true } }) : null;
    const isAccount = subject === "account";
    const others = isAccount ? await ofAccount(tx, id) : [];
    const entries = await changesOf(tx, isAccount ? id : (mail?.accountId ?? PLATFORM), id, others);
    return presentTimeline(entries, 0, new Map([...(await namesIn(tx, id)), ...(await staffNames(tx))]));
  });
}

/**
 * What happened around a seller's record that the operator's staff decides about, as the seller sees it, with the names of
 * the staff. Where the seller's webhooks were sent is left out, because an address may hold a secret of the seller's.
 * Throws `not_found` for any other noun and what is no id, and as `readTimeline` does.
 */
export async function readTimelineForReview(accountId: string, subject: string, id: string): Promise<Timeline> {
  const reviewed = reviewedSubjects.find((name) => name === subject);
  if (!reviewed) throw new AppError("not_found");
  const key = keyOf(subject, id);
  return readForStaff(async (tx) => {
    const entries = await nouns[reviewed].gather(tx, accountId, key, allScopes);
    const shown = entries.map((entry) => (entry.kind === "delivery" ? { ...entry, detail: null, event: null } : entry));
    const names = new Map([...(await namesIn(tx, accountId)), ...(await staffNames(tx))]);
    return presentTimeline(shown, await aheadOf(tx, accountId), names);
  });
}

async function aroundRefund(tx: Tx, accountId: string, id: string): Promise<Entry[]> {
  const entries = await entriesOfRefunds(tx, { accountId, id });
  if (entries.length === 0) throw new AppError("refund_not_found");
  return entries;
}

async function aroundDispute(tx: Tx, accountId: string, id: string): Promise<Entry[]> {
  const entries = await entriesOfDisputes(tx, { accountId, id });
  if (entries.length === 0) throw new AppError("dispute_not_found");
  return entries;
}

/** Refunds and disputes of the sale only for who may read them. */
async function aroundSale(tx: Tx, accountId: string, id: string, scopes: readonly Scope[]): Promise<Entry[]> {
  const sale = await tx.transaction.findUnique({ where: { accountId_id: { accountId, id } } });
  if (!sale) throw new AppError("transaction_not_found");
  const entries = await entriesOfSale(tx, sale, await readShares(tx, [sale.id]));
  const ofSale = { accountId, transactionId: id };
  if (scopes.includes("refunds:read")) entries.push(...(await entriesOfRefunds(tx, ofSale)));
  if (scopes.includes("disputes:read")) entries.push(...(await entriesOfDisputes(tx, ofSale)));
  return entries;
}

/** How far an account's clock is ahead at present, in milliseconds. */
async function aheadOf(tx: Tx, id: string): Promise<number> {
  const select = { clockOffsetMs: true };
  return Number((await tx.account.findUniqueOrThrow({ where: { id }, select })).clockOffsetMs);
}

const presentTimeline = (
  entries: readonly Entry[],
  aheadNow: number,
  names: ReadonlyMap<string, string>,
): Timeline => ({
  data: inOrder(entries, aheadNow).map((item) => ({ ...item, actor: presentActor(item.actor, names) })),
});
