import type { AccountContext } from "@/lib/accounts/context";
import { type Actor, sideOf } from "@/lib/actor";
import { onBothClocks, realTime } from "@/lib/dashboard/clocks";
import type { SubscriptionTimeline } from "@/lib/dashboard/schema";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { firstIdAt, sha256 } from "@/lib/ids";
import { decimal } from "@/lib/money";

type Item = SubscriptionTimeline[number];
/** An item before its place in time: what is no event has no time on the account's clock. */
type Entry = Omit<Item, "at" | "real_at"> & { occurredAt: Date | null };

/** How many items a timeline has, how many charges they are of, and how many mails of a person are searched for them. */
const SHOWN = 200;
const SHOWN_CYCLES = 100;
const SEARCHED_MAILS = 1_000;

/**
 * What happened around a subscription: its events and those of its sales, the attempts to deliver them, the mails about
 * its charges, money that arrived for them and bought nothing, and the card that it is charged on; the latest `SHOWN`, newest first. Throws `subscription_not_found`, also
 * for another account's.
 */
export const readSubscriptionTimeline = (
  { id: accountId }: AccountContext,
  id: string,
): Promise<SubscriptionTimeline> =>
  readFor(accountId, async (tx) => {
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
      select: { id: true, txid: true, cycleId: true },
    });
    const events = await eventsOf(tx, accountId, id, sales, numbers);
    const unmatched = await unmatchedOf(tx, sales, numbers);
    const attempts = await attemptsOf(tx, accountId, events);
    const mails = await mailsOf(tx, accountId, subscription, numbers);
    const cards = await cardOf(tx, accountId, subscription.storedCardId);
    const { clockOffsetMs } = await tx.account.findUniqueOrThrow({
      where: { id: accountId },
      select: { clockOffsetMs: true },
    });
    return inOrder([...events, ...unmatched, ...attempts, ...mails, ...cards], Number(clockOffsetMs));
  });

/** Orders by ids, whose time is real, because a sandbox's clock may be moved ahead between two of them. */
export function inOrder(entries: readonly Entry[], aheadNow: number): SubscriptionTimeline {
  const sorted = [...entries].sort((one, other) => (one.id > other.id ? -1 : 1)).slice(0, SHOWN);
  return onBothClocks(
    sorted.map((entry) => ({ ...entry, real: realTime(entry.id) })),
    aheadNow,
  );
}

type Numbers = ReadonlyMap<string, number>;

type Sale = { id: string; txid: string | null; cycleId: string | null };

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
  return events.map(({ id: eventId, type, subjectId, data, actor, occurredAt }) => {
    const { status, charge } = data as { status: string; charge?: { number: number } | null };
    const isOwn = subjectId === id;
    return {
      ...{ id: eventId, kind: isOwn ? "event" : "sale", title: type, occurredAt },
      detail: isOwn ? sideOf(actor as Actor | null) : null,
      status: pauses.has(eventId) ? "paused" : status,
      cycle_number: isOwn ? (charge?.number ?? null) : (numbers.get(cycleOf.get(subjectId) ?? "") ?? null),
      sale: isOwn ? null : subjectId,
    };
  });
}

/** The provider of unmatched card money, whose `endToEndId` is the sale's own id (`lib/billing/card-call.ts`). */
const CARDS = "cards";

/** Money that a provider holds under the codes and ids of sales and that paid no charge. */
async function unmatchedOf(tx: Tx, sales: readonly Sale[], numbers: Numbers): Promise<Entry[]> {
  const saleOf = new Map(sales.flatMap((sale) => [[sale.id, sale] as const, [sale.txid ?? sale.id, sale] as const]));
  const byCard = { provider: CARDS, endToEndId: { in: sales.map(({ id }) => id) } };
  const byCode = { txid: { in: sales.flatMap(({ txid }) => txid ?? []) } };
  const receipts = await tx.unmatchedReceipt.findMany({ where: { OR: [byCard, byCode] }, take: SHOWN });
  return receipts.map(({ endToEndId, txid, reason, amount, createdAt }) => {
    const sale = saleOf.get(txid ?? endToEndId);
    return {
      ...{ id: idAt(createdAt, endToEndId), kind: "unmatched", title: reason, status: decimal(amount) },
      ...{ detail: endToEndId, sale: sale?.id ?? null, cycle_number: numbers.get(sale?.cycleId ?? "") ?? null },
      occurredAt: null,
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

async function attemptsOf(tx: Tx, accountId: string, events: readonly Entry[]): Promise<Entry[]> {
  const deliveries = await tx.delivery.findMany({
    where: { accountId, eventId: { in: events.map(({ id }) => id) } },
    orderBy: { id: "desc" },
    take: SHOWN,
    select: { id: true, event: true, eventId: true, url: true },
  });
  const attempts = await tx.deliveryAttempt.findMany({
    where: { accountId, deliveryId: { in: deliveries.map(({ id }) => id) } },
    orderBy: { id: "desc" },
    take: SHOWN,
    select: { id: true, deliveryId: true, responseStatus: true, error: true },
  });
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const eventOf = new Map(events.map((event) => [event.id, event]));
  return attempts.map(({ id, deliveryId, responseStatus, error }) => {
    const { event = "", eventId = "", url = null } = deliveryOf.get(deliveryId) ?? {};
    const status = responseStatus === null ? error : String(responseStatus);
    const { cycle_number = null, sale = null } = eventOf.get(eventId) ?? {};
    return { id, kind: "delivery", title: event, status, detail: url, cycle_number, sale, occurredAt: null };
  });
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
  return letters.map(({ id, template, status, recipient, cycle, occurred_at }) => ({
    ...{ id, kind: "mail", title: template, status, detail: recipient, sale: null, occurredAt: occurred_at },
    cycle_number: numbers.get(cycle) ?? null,
  }));
}

/** The card that is kept now. Those before it were deleted with their times. */
async function cardOf(tx: Tx, accountId: string, id: string | null): Promise<Entry[]> {
  const where = { accountId_id: { accountId, id: id ?? "" } };
  const select = { id: true, brand: true, last4: true, consentedAt: true };
  const card = id && (await tx.storedCard.findUnique({ where, select }));
  if (!card) return [];
  const { brand, last4, consentedAt } = card;
  const none = { status: null, cycle_number: null, sale: null };
  return [{ id: card.id, kind: "card", title: brand, detail: last4, occurredAt: consentedAt, ...none }];
}
