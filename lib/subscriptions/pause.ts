import type { z } from "zod";
import type { AccountContext } from "@/lib/accounts/context";
import { updateSubscription } from "@/lib/billing/subscription-change";
import { pauseNow, resumeNow } from "@/lib/billing/transitions";
import { AppError, invalid } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { performAction } from "@/lib/subscriptions/perform-action";
import { presentChanged } from "@/lib/subscriptions/read";
import type { PauseBody } from "@/lib/subscriptions/schema";
import { DAY_MS } from "@/lib/time/calendar";
import { businessNow } from "@/lib/time/clock";

type Pause = z.output<typeof PauseBody> & { id: string };

/** How far ahead a pause may end. */
const LONGEST_MS = 10 * 365 * DAY_MS;

/**
 * Pauses a subscription, until it is resumed or until `resumes_at`: nothing is charged, and an open charge is owed no
 * longer. Throws 422 for an instant that is past or more than ten years ahead, `subscription_not_found` and `invalid_transition`.
 */
export async function pauseSubscription(account: AccountContext, input: Pause, intent: Intent) {
  const { id, reason, resumes_at: resumesAt } = input;
  const now = businessNow(account);
  if (resumesAt && resumesAt <= now) {
    throw invalid({ resumes_at: ["Escolha um momento que ainda não passou."] });
  }
  if (resumesAt && resumesAt.getTime() > now.getTime() + LONGEST_MS) {
    throw invalid({ resumes_at: ["Escolha um momento nos próximos dez anos."] });
  }
  return performAction(account, id, intent, {
    action: "pause",
    act(change) {
      updateSubscription(change, { reason });
      pauseNow(change, resumesAt);
    },
    present: presentChanged,
  });
}

/**
 * Resumes a paused subscription: the next charge is due when the paid days that were left are over. Throws
 * `open_charge_exists` for one that is suspended because it was not paid, `subscription_not_found` and
 * `invalid_transition`.
 */
export const resumeSubscription = (account: AccountContext, input: { id: string }, intent: Intent) =>
  performAction(account, input.id, intent, {
    action: "reactivate",
    refuse: ({ subscription }) =>
      new AppError(subscription.status === "suspended" ? "open_charge_exists" : "invalid_transition"),
    act: resumeNow,
    present: presentChanged,
  });
