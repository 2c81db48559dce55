import { depositErrors } from "@/lib/deposits/request";
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
  errors: depositErrors,
} as const satisfies Contract;
