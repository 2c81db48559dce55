import type { Actor } from "@/lib/actor";
import type { Tx } from "@/lib/db";
import type { TimelineItem } from "@/lib/timeline/schema";

/** The names of an account's people, and of its credentials, also those that were revoked. */
export async function namesIn(tx: Tx, accountId: string): Promise<Map<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; name: string }[]>`
    select u.id, u.name from memberships m join users u on u.id = m.user_id
    where m.account_id = ${accountId}::uuid or m.sandbox_id = ${accountId}::uuid
    union all select client_id, name from credentials where account_id = ${accountId}::uuid`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The names of the operator's staff. */
export async function staffNames(tx: Tx): Promise<(readonly [id: string, name: string])[]> {
  const staff = await tx.user.findMany({ where: { memberships: { none: {} } }, select: { id: true, name: true } });
  return staff.map(({ id, name }) => [id, name] as const);
}

/** A rail is called by its own name. */
export const presentActor = (actor: Actor | null, names: ReadonlyMap<string, string>): TimelineItem["actor"] =>
  actor && { kind: actor.kind, name: names.get(actor.id ?? "") ?? (actor.kind === "rail" ? (actor.id ?? null) : null) };
