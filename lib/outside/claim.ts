import { leasesOf } from "@/lib/due/claims";
import type { DueRows } from "@/lib/due/find";
import { claimInGroups, claimOfOne } from "@/lib/due/groups";

/** How many calls of one kind and provider are made at once, by all processes together, and how many of them for one account. */
export const AT_ONCE = 20;
export const OF_ONE = 15;
/** How long a claim lasts without renewal: no question lasts longer, and a dead process's calls are due again within 10 s. */
const LEASE_MS = 8_000;

/** A call that this worker has claimed. */
export type Claimed = {
  accountId: string;
  id: string;
  kind: string;
  provider: string;
  isSent: boolean;
  isAccepted: boolean;
};

/** Calls that are due. The accounts take turns within each kind at each provider, by the columns of the index `calls_due`. */
export const dueCalls = {
  table: "calls",
  key: { account_id: "uuid", id: "uuid" },
  of: ["t.provider", "t.kind", "t.account_id"],
  at: "greatest(t.due_at, t.claimed_until)",
  only: "t.done_at is null",
} as const satisfies DueRows;

/**
 * SQL: a pause of a quarter of the call's age, at least 10 s, because no question lasts longer, and at most an hour.
 */
export const PAUSE =
  "least(greatest((now() - coalesce(sent_at, created_at)) / 4, interval '10 seconds'), interval '1 hour')";

/** Renews and ends a worker's claims; `wait` is for one that failed. */
export const leases = leasesOf({
  ...{ name: "calls", table: "calls", key: dueCalls.key, by: "claimed_by", until: "claimed_until" },
  ...{ leaseMs: LEASE_MS, wait: ["due_at", PAUSE] },
});

const claims = {
  ...{ name: "calls", rows: dueCalls, leases, sets: ", attempts = t.attempts + 1" },
  columns: `, t.kind, t.provider, t.sent_at is not null as "isSent", t.accepted_at is not null as "isAccepted"`,
};

/**
 * Claims calls of the given kinds that are due, so that a crowd at one provider keeps no other waiting, nor an account's crowd
 * another account (`claimInGroups`).
 */
export const claimCalls = claimInGroups<Claimed>({
  ...claims,
  ...{ group: { provider: "text", kind: "text" }, among: "kind", whose: "account_id", running: "claimed_calls()" },
  ...{ atOnce: AT_ONCE, ofOne: OF_ONE },
});

const claimCallsOfOne = claimOfOne<Claimed>({
  ...{ ...claims, limit: AT_ONCE },
  where: "t.kind = any($3::text[]) and (t.sent_at is null or t.kind = any($4::text[]))",
});

/** Claims what is written of one account and due, of the given kinds, and what may be sent again, of those that may be. */
export const claimCallsOf = (
  worker: string,
  accountId: string,
  kinds: readonly { name: string; isIdempotent?: boolean }[],
): Promise<Claimed[]> => {
  const repeatable = kinds.filter(({ isIdempotent }) => isIdempotent);
  return claimCallsOfOne(worker, accountId, namesOf(kinds), namesOf(repeatable));
};

const namesOf = (kinds: readonly { name: string }[]) => kinds.map(({ name }) => name);
