import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange } from "@/lib/billing/subscription-change";
import { nextTimer } from "@/lib/billing/timers";
import type { NextStep } from "@/lib/subscriptions/schema";
import { iso } from "@/lib/time/clock";

const names = {
  bill: "bill",
  fallDue: "fall_due",
  remind: "remind",
  renewCode: "renew_code",
  retryCard: "retry_card",
  expectDebit: "debit",
  missDebit: "fall_due",
  retryDebit: "order_debit",
  suspend: "suspend",
  lapse: "lapse",
  expire: "expire",
  dropUpgrade: "drop_upgrade",
  end: "end",
  resume: "resume",
  warnHolder: "warn_holder",
} as const satisfies Record<NonNullable<ReturnType<typeof nextTimer>>["name"], NextStep["name"]>;

/** What falls due of a subscription next by time alone, and when; null where nothing does. */
export function presentNextStep(loaded: LoadedSubscription): NextStep | null {
  const step = nextTimer(beginChange(loaded));
  return step && { name: names[step.name], at: iso(step.at) };
}
