"use client";
import { useMay, useSession } from "@/components/account";

/** Whether this person may open the pages of withdrawals, or withdraw. */
export function useMaySeeWithdrawals(scope: "withdrawals:read" | "withdrawals:write" = "withdrawals:read"): boolean {
  const may = useMay(scope);
  return useSession().features.includes("cash_out") && may;
}
