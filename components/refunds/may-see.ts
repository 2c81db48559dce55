"use client";
import { useMay, useSession } from "@/components/account";

/** Whether this person may open the pages of refunds. */
export function useMaySeeRefunds(): boolean {
  const mayRead = useMay("refunds:read");
  return useSession().features.includes("refunds") && mayRead;
}
