import type { Actor } from "@/lib/actor";
import { uuidOf } from "@/lib/audit/record-change";
import type { Tx } from "@/lib/db";
import { realTime } from "@/lib/ids";
import { type Entry, plain } from "@/lib/timeline/entry";

/** How many changes of a record are shown, the latest. */
const SHOWN = 200;

/** When a record was last changed says nothing of its own. */
const HIDDEN = new Set(["updated_at"]);

/**
 * What was done by hand to a record and to those that belong to it, oldest first. A change of one that belongs to it says
 * which by its `detail`.
 */
export async function changesOf(tx: Tx, accountId: string, id: string, others: readonly string[] = []) {
  const own = uuidOf(/^\d+$/.test(id) ? Number(id) : id);
  const events = await tx.event.findMany({
    where: { accountId, subjectId: { in: [own, ...others] } },
    orderBy: { id: "desc" },
    take: SHOWN,
  });
  return events.reverse().map((event): Entry => {
    const { name, title, amount, reason } = event.record as Partial<Record<string, string>>;
    return {
      ...{ ...plain, id: event.id, kind: "change", title: event.type, status: null },
      ...{ occurredAt: event.occurredAt, real: realTime(event.id), actor: event.actor as Actor | null },
      detail: event.subjectId === own ? null : (name ?? title ?? amount ?? null),
      reason: reason ?? null,
      changes: Object.entries(event.data as Record<string, Change>)
        .filter(([member]) => !HIDDEN.has(member))
        .map(([member, { before, after }]) => ({ name: member, before: shownValue(before), after: shownValue(after) })),
    };
  });
}

type Change = { before: unknown; after: unknown };

const shownValue = (value: unknown) =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;

/** The latest adjustments of an account's balance, its documents and the latest requests of a change of its profile. */
export async function ofAccount(tx: Tx, accountId: string): Promise<string[]> {
  const latest = { where: { accountId }, orderBy: { id: "desc" }, take: SHOWN, select: { id: true } } as const;
  const found = [
    await tx.adjustment.findMany(latest),
    await tx.accountDocument.findMany(latest),
    await tx.profileRequest.findMany(latest),
  ];
  return found.flat().map(({ id }) => id);
}

/** A product's plans, and the splits that were offered of them. */
export async function ofProduct(tx: Tx, accountId: string, productId: string): Promise<string[]> {
  const plans = await tx.plan.findMany({ where: { accountId, productId }, select: { id: true } });
  const ids = plans.map(({ id }) => id);
  const splits = await tx.planSplit.findMany({ where: { accountId, planId: { in: ids } }, select: { id: true } });
  return [...ids, ...splits.map(({ id }) => uuidOf(id))];
}

/** The latest deliveries to a webhook, which may have been sent again by hand. */
export async function ofWebhook(tx: Tx, accountId: string, webhookId: number): Promise<string[]> {
  const where = { accountId, webhookId };
  const deliveries = await tx.delivery.findMany({ where, orderBy: { id: "desc" }, take: SHOWN, select: { id: true } });
  return deliveries.map(({ id }) => id);
}
