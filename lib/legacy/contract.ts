import type { Contract } from "@/lib/http/contract";
import { LegacyBody, LegacyDeposit } from "@/lib/legacy/schema";

/** The contract of both addresses of the old API's deposit. */
export const legacyDepositContract = {
  summary: "Ask for a deposit, as the first version of the interface did",
  tag: "Old API",
  auth: "legacy",
  scopes: ["transactions:write"],
  body: LegacyBody,
  response: LegacyDeposit,
  errors: [
    "account_not_approved",
    "account_suspended",
    "max_cashin_without_fee",
    "amount_below_minimum",
    "split_exceeds_total",
    "split_own_account",
    "webhook_url_not_allowed",
    "rail_unavailable",
    "deposit_pending",
    "deposit_not_made",
  ],
} as const satisfies Contract;
