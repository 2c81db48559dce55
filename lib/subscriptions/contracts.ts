import type { Contract } from "@/lib/http/contract";
import { PauseBody, SubscriptionAnswer } from "@/lib/subscriptions/schema";

/** What the two spellings of an action have in common. */
const action = {
  tag: "Subscriptions",
  scopes: ["subscriptions:write"],
  feature: "recurring",
  ids: { token: "subscription_not_found" },
  evenIfFull: true,
  response: SubscriptionAnswer,
} as const satisfies Partial<Contract>;

export const pauseContract = {
  ...action,
  summary: "Pause a subscription",
  body: PauseBody,
  errors: ["invalid_transition"],
} as const satisfies Contract;

export const resumeContract = {
  ...action,
  summary: "Resume a paused subscription",
  errors: ["invalid_transition", "open_charge_exists"],
} as const satisfies Contract;
