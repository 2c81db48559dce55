import { type Actor, sideOf } from "@/lib/actor";
import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt, realTime, sha256 } from "@/lib/ids";
import { decimal } from "@/lib/money";
import { attemptsOf } from "@/lib/timeline/attempts";
import { type Entry, onlyReal, plain } from "@/lib/timeline/entry";

/** How many items a timeline has, how many charges they are of, and how many mails of a person are searched for them. */
const SHOWN = 200;
const SHOWN_CYCLES = 100;
const SEARCHED_MAILS = 1_000;

/**
 * What happened around a subscription: its events and those of its sales, the attempts to deliver them, the mails about
 * its charges, money that arrived for them and bought nothing, and the card that it is charged on; the latest `SHOWN`.
 * Throws `subscription_not_found`, also for another account's.
 */
export async function entriesOfSubscription(tx: Tx, accountId: string, id: string): Promise<Entry[]> {
  const key = { accountId_id: { accountId, id } };
  const select = { id: true, email: true, storedCardId: true };
  const subscription = await tx.subscription.findUnique({ where: key, select });
  if (!subscription) throw new AppError("subscription_not_found");
  const cycles = await tx.cycle.findMany({
    where: { accountId, subscriptionId: id },
    orderBy: [{ number: "desc" }, { id: "desc" }],
    take: SHOWN_CYCLES,
    select: { id: true, number: true },
  });
  const numbers = new Map(cycles.map((cycle) => [cycle.id, cycle.number]));
  const sales = await tx.transaction.findMany({
    where: { accountId, cycleId: { in: [...numbers.keys()] } },
    orderBy: { id: "desc" },
    take: SHOWN,
    select: { id: true, cycleId: true },
  });
  const events = await eventsOf(tx, accountId, id, sales, numbers);
  const unmatched = await unmatchedOf(tx, accountId, sales, numbers);
  const attempts = await attemptsOf(tx, accountId, events, SHOWN);
  const mails = await mailsOf(tx, accountId, subscription, numbers);
  const cards = await cardOf(tx, accountId, subscription.storedCardId);
  return latestOf([...events, ...unmatched, ...attempts, ...mails, ...cards]);
}

/** The latest `SHOWN` entries, oldest first. Their ids have the real time at which each was written. */
export const latestOf = (entries: readonly Entry[]): Entry[] =>
  [...entries]
    .sort((one, other) => (one.id > other.id ? 1 : -1))
    .slice(-SHOWN)
    .map((entry) => ({ ...entry, real: realTime(entry.id) }));

type Numbers = ReadonlyMap<string, number>;

type Sale = { id: string; cycleId: string | null };

async function eventsOf(
  tx: Tx,
  accountId: string,
  id: string,
  sales: readonly Sale[],
  numbers: Numbers,
): Promise<Entry[]> {
  const events = await tx.event.findMany({
    where: {
      ...{ accountId, subjectId: { in: [id, ...sales.map((sale) => sale.id)] } },
      subject: { in: ["subscription", "transaction"] },
    },
    orderBy: { id: "desc" },
    take: SHOWN,
    select: { id: true, type: true, subjectId: true, data: true, actor: true, occurredAt: true },
  });
  const cycleOf = new Map(sales.map((sale) => [sale.id, sale.cycleId]));
  const pauses = await pausesAmong(tx, accountId, events);
  return events.map(({ id: eventId, type, subjectId, data, actor, occurredAt }): Entry => {
    const { status, charge } = data as { status: string; charge?: { number: number } | null };
    const isOwn = subjectId === id;
    return {
      ...{ ...plain, id: eventId, kind: isOwn ? "event" : "sale", title: type, occurredAt, real: realTime(eventId) },
      actor: actor as Actor | null,
      detail: isOwn ? sideOf(actor as Actor | null) : null,
      status: pauses.has(eventId) ? "paused" : status,
      cycle_number: isOwn ? (charge?.number ?? null) : (numbers.get(cycleOf.get(subjectId) ?? "") ?? null),
      sale: isOwn ? null : subjectId,
    };
  });
}

/** Money that came for sales and paid no charge. */
async function unmatchedOf(tx: Tx, accountId: string, sales: readonly Sale[], numbers: Numbers): Promise<Entry[]> {
  const cycles = new Map(sales.map(({ id, cycleId }) => [id, cycleId]));
  const receipts = await tx.unmatchedReceipt.findMany({
    where: { accountId, saleId: { in: [...cycles.keys()] } },
    orderBy: { id: "desc" },
    take: SHOWN,
  });
  return receipts.map(({ endToEndId, saleId, reason, amount, createdAt }): Entry => {
    return {
      ...{ ...plain, ...onlyReal(createdAt), id: idAt(createdAt, endToEndId) },
      ...{ kind: "unmatched", title: reason, status: decimal(amount) },
      ...{ detail: endToEndId, sale: saleId, cycle_number: numbers.get(cycles.get(saleId ?? "") ?? "") ?? null },
    };
  });
}

/** An id, always the same, of what has only a name and the real instant at which it came. */
function idAt(at: Date, name: string): string {
  const rest = sha256(name).toString("hex");
  return `${firstIdAt(at).slice(0, 15)}${rest.slice(0, 3)}-8${rest.slice(3, 6)}-${rest.slice(6, 18)}`;
}

/** The suspensions that the seller asked for, which the subscription's record of then shows. */
async function pausesAmong(tx: Tx, accountId: string, events: readonly { id: string; type: string }[]) {
  const ids = events.filter(({ type }) => type === "subscription.suspended").map(({ id }) => id);
  if (ids.length === 0) return new Set<string>();
  const rows = await tx.$queryRaw<{ id: string }[]>`
    select id from events where account_id = ${accountId}::uuid and id = any(${ids}::uuid[])
      and record->'subscription'->>'paused_at' is not null`;
  return new Set(rows.map(({ id }) => id));
}

type Letter = {
  id: string;
  template: string;
  status: string;
  recipient: string;
  cycle: string;
  occurred_at: Date | null;
};

type Person = { id: string; email: string };

/** The intent of a mail names the charge, or the subscription, that it is about (`lib/billing/mails.ts`). */
async function mailsOf(tx: Tx, accountId: string, { id: own, email }: Person, numbers: Numbers): Promise<Entry[]> {
  const letters = await tx.$queryRaw<Letter[]>`
    select id, template, case when sent_by = 'inbox' then 'kept' else status::text end as status, recipient, cycle,
      occurred_at from (
      select id, template, status, sent_by, recipient, occurred_at, split_part(intent, ':', 2) as cycle from mails
      where recipient = ${email} and account_id = ${accountId}::uuid order by id desc limit ${SEARCHED_MAILS}
    ) latest
    where cycle = any(${[own, ...numbers.keys()]}) order by id desc limit ${SHOWN}`;
  return letters.map(
    ({ id, template, status, recipient, cycle, occurred_at }): Entry => ({
      ...{ ...plain, id, kind: "mail", title: template, status, detail: recipient },
      ...{ occurredAt: occurred_at, real: realTime(id) },
      cycle_number: numbers.get(cycle) ?? null,
    }),
  );
}

/** The card that is kept now. Those before it were deleted with their times. */
async function cardOf(tx: Tx, accountId: string, id: string | null): Promise<Entry[]> {
  const where = { accountId_id: { accountId, id: id ?? "" } };
  const select = { id: true, brand: true, last4: true, consentedAt: true };
  const card = id && (await tx.storedCard.findUnique({ where, select }));
  if (!card) return [];
  const { brand, last4, consentedAt } = card;
  const times = { occurredAt: consentedAt, real: realTime(card.id) };
  return [{ ...plain, ...times, id: card.id, kind: "card", title: brand, status: null, detail: last4 }];
}
