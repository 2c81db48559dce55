import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { noteSpent } from "@/lib/rate-limits/spent";

/**
 * Every limit of requests, per minute where `windows` names no other time, by what it counts. Authentication itself spends the slots of an account
 * (`lib/http/find-caller.ts`) and of public tokenization (`lib/http/page-caller.ts`).
 */
export const limits = {
  partner: () => env.PARTNER_LIMIT_PER_MINUTE,
  /** One address, whatever client id it sends. */
  "auth-token-address": () => 600,
  "auth-token": () => env.AUTH_TOKEN_LIMIT_PER_MINUTE,
  /** Every call of sign-in's routes; a sign-in with its sign-out makes four. */
  "sign-in-call-address": () => 120,
  "sign-in-address": () => 30,
  /** One person from one address; the next limit counts a person without a session from all addresses together. */
  "sign-in": () => 10,
  "sign-in-email": () => 100,
  /** Attempts at a second factor or at the password once more, of one person from one network. */
  "second-factor": () => 5,
  /** Public tokenization counts per address, and per public key and address. */
  "card-token-address": () => 60,
  "card-token": () => 20,
  /** Look-ups of refunds by their codes, by account. */
  "refund-lookup": () => 60,
  /** Resets of a sandbox in a day, by the seller's live account: each leaves rows that stay. */
  "sandbox-reset": () => 20,
  /** Tests of webhooks, by account: each waits for somebody's server. */
  "webhook-test": () => 30,
  /** Look-ups of keys' owners, by account: those of a minute, and of an hour. */
  "key-lookup": () => 30,
  "key-lookup-hour": () => 300,
  "sign-up-address": () => env.SIGN_UP_LIMIT_PER_MINUTE,
  "forgot-address": () => env.SIGN_UP_LIMIT_PER_MINUTE,
  /** Links of mails that one address opens, and attempts at the password that a link asks for. */
  "link-address": () => 30,
  link: () => 10,
  "csp-report-address": () => 60,
  /** Products' images; a browser keeps each for ever. */
  "image-address": () => 600,
  /**
   * The checkout. A whole company or a mobile network may stand behind one address, so addresses have wide limits; what
   * one link gets from everywhere, and what asks about one payment, have limits of their own.
   */
  "checkout-address": () => 1_200,
  "checkout-pay-address": () => 300,
  /** What one link or plan takes, in all and from one IPv6 site: many times what an address may ask (`takeLinkSlot`). */
  "checkout-pay-site": () => 1_500,
  "checkout-pay": () => 15_000,
  /** Other codes in place of one of a subscription, each of which is mailed. */
  "checkout-renew": () => 2,
  /** What a payer's own link changes, so that nobody tries cards on it one after the other. */
  "checkout-payer": () => 5,
  "checkout-status-address": () => 6_000,
  "checkout-status": () => 600,
  /** Pages of one session, and apart from them what its browser fetches ahead, which never uses up a page's slot. */
  "page-session": () => 600,
  "page-ahead": () => 600,
} as const satisfies Record<string, () => number>;

/** The seconds over which all other limits count. */
export const WINDOW_S = 60;

/** The limits that count over more than a minute, in seconds. */
const windows: Partial<Record<keyof typeof limits, number>> = {
  "key-lookup-hour": 3_600,
  "sandbox-reset": 86_400,
};

/**
 * Spends a slot of a limit. All processes together never spend more than its number in any window.
 * Throws `rate_limit_exceeded` with the time to wait.
 */
export async function spendSlot(limit: keyof typeof limits, key: string): Promise<void> {
  const [quota, windowS] = [limits[limit](), windows[limit] ?? WINDOW_S];
  const [row] = await runPrepared<{ wait: number; left: number; more: number }>(
    "take_slots",
    "select wait_ms as wait, left_over as left, more_in_s as more from take_slots($1, $2, 1, $3)",
    [`${limit}:${key}`, quota, windowS],
  );
  if (row) noteSpent({ limit, quota, windowS, left: row.left, moreInS: row.more });
  if (row && row.wait > 0) throw new AppError("rate_limit_exceeded", { retryAfterMs: row.wait });
}

/** Gives back a slot of a limit that was spent just now, where what it was spent for does not count. */
export const giveBackSlot = (limit: keyof typeof limits, key: string): Promise<unknown> =>
  runPrepared("give_back_slot", GIVE_BACK, [`${limit}:${key}`]);

/** It is one of the last second in which any was spent. */
const GIVE_BACK = `update rate_limits set taken = greatest(taken - 1, 0),
    earlier = case when taken > 0 then earlier else earlier - 1 end,
    hits = case when taken > 0 then hits else hits[:cardinality(hits) - 1] || hits[cardinality(hits)] - 1 end
  where key = $1 and (taken > 0 or earlier > 0 and hits[cardinality(hits)] & 1048575 > 0)`;

/** How many slots of a limit were spent in the minute that ends with the last one. */
export async function countSlots(limit: keyof typeof limits, key: string): Promise<number> {
  const text = "select earlier + taken as count from rate_limits where key = $1";
  const [row] = await runPrepared<{ count: number }>("count_slots", text, [`${limit}:${key}`]);
  return row?.count ?? 0;
}
