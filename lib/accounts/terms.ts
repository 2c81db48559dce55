import { feeColumns } from "@/lib/accounts/fees";
import { methods } from "@/lib/methods/methods";
import { TIME_ZONE } from "@/lib/time/calendar";

/**
 * The terms of a new account, until the operator changes them: fees in basis points and cents, the days after which
 * card money is available, and what the account may store in 30 days, in megabytes. All of them are product defaults.
 */
export const newAccountTerms = {
  ...feeColumns((name) => methods[name].fee.initial),
  cardSettlementDays: 30,
  storageLimitMb: 1_024,
  timeZone: TIME_ZONE,
};

/** What may go out of a new sandbox, in cents, whose money is nobody's. */
export const sandboxTerms = {
  ...{ withdrawalLimit: 10_000_000, withdrawalDayLimit: 10_000_000, withdrawalNightLimit: 10_000_000 },
  newKeyLimit: 10_000_000,
};

/** The storage limit of an approved live account. 600 requests per minute do not reach it in 30 days. */
export const approvedTerms = { storageLimitMb: 102_400 };
