import type { Outcome } from "@/lib/webhooks/send";
import type { Delivery } from "@/prisma/client/client";

/** An answer that takes longer holds up others, even if it is a good one. */
const SLOW_MS = 3_000;
/** What an endpoint that hung for long is still thought to cost once it has answered well. */
const FORGIVEN_TO_MS = 8_000;

/** The rank of an endpoint that kept us waiting for more than eight minutes, and of a backlog. */
export const MAX_RANK = 10;

const MOST_ENDPOINTS = 10_000;

/**
 * Milliseconds for which each endpoint kept a place of this process in vain. Kept in memory only: a process that
 * knows nothing learns it within one time-out. Endpoints not heard of for long make room for others.
 */
const held = new Map<string, number>();

export type Endpoint = Pick<Delivery, "accountId" | "webhookId" | "url">;

/** A registered webhook; or the host that a charge's own callback names, for one account. */
export const endpointOf = ({ accountId, webhookId, url }: Endpoint) =>
  webhookId === null ? `${accountId} ${new URL(url).host}` : `${webhookId} ${url}`;

/**
 * How much an endpoint holds up others, from 0 (not at all: the account's lanes are open to it) to `MAX_RANK`; each
 * rank stands for twice the time. One that fails at once is 1 and stays 1. A callback's host is 1 until it was
 * tried once, because a charge may name any: so hosts that hang, a new one for each charge, never see the lanes.
 */
export function rankOf(endpoint: Endpoint, isFailing: boolean): number {
  const ms = held.get(endpointOf(endpoint));
  const least = isFailing || (ms === undefined && endpoint.webhookId === null) ? 1 : 0;
  if (ms === undefined || ms < 1_000) return least;
  return Math.min(MAX_RANK, 1 + Math.floor(Math.log2(ms / 1_000)));
}

/** Takes the time of an attempt into account: one answered well and soon forgives half of it, any other adds to it. */
export function noteAttempt(endpoint: Endpoint, { error, durationMs }: Outcome) {
  const key = endpointOf(endpoint);
  const before = held.get(key) ?? 0;
  const isGood = !error && durationMs < SLOW_MS;
  held.delete(key);
  held.set(key, isGood ? Math.min(before / 2, FORGIVEN_TO_MS) : before + durationMs);
  if (held.size > MOST_ENDPOINTS) for (const [oldest] of held) return void held.delete(oldest);
}
