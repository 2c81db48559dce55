"use client";
import { createContext, type ReactNode, useContext, useMemo } from "react";
import { apiOf } from "@/components/api";
import type { Feature } from "@/lib/accounts/schema";
import type { Scope } from "@/lib/auth/scopes";

/** The part of the session that the browser gets. It has no secret and nothing of other sellers. Money is in cents. */
export type SessionView = {
  user: { name: string; email: string; isConfirmed: boolean };
  account: {
    id: string;
    name: string;
    mode: "live" | "sandbox";
    status: "pending" | "approved" | "suspended" | "closed";
    /** Since when it waits for its review; null while something is missing. */
    reviewAskedAt: string | null;
  };
  /** The ids of the account in both modes. */
  modes: { live: string; sandbox: string };
  role: "owner" | "admin" | "finance" | "developer" | "viewer";
  fee: { basisPoints: number | null; fixed: number; minimum: number };
  scopes: readonly Scope[];
  features: readonly Feature[];
  /** How much waited for this person's decision when the document was made. */
  waiting: number;
  /** The same of withdrawals that others asked for. */
  waitingWithdrawals: number;
};

const Session = createContext<SessionView | null>(null);

export function SessionProvider({ value, children }: { value: SessionView; children: ReactNode }) {
  return <Session.Provider value={value}>{children}</Session.Provider>;
}

export function useSession(): SessionView {
  const session = useContext(Session);
  if (!session) throw new Error("useSession outside of the dashboard");
  return session;
}

/** Our API as this page may call it: every call names the page's account. */
export function useApi() {
  const { id } = useSession().account;
  return useMemo(() => apiOf(id), [id]);
}

/**
 * Whether anybody can be charged for this account: a live one waits for its approval, a suspended one for its return, and a closed one for nothing.
 * What would be refused is disabled until then, under the band that says why (`frame/review-band.tsx`).
 */
export const useMaySell = () => useSession().account.status === "approved";

/** Whether the person's role lets them do this; buttons that would be refused are not shown. */
export const useMay = (scope: Scope) => useSession().scopes.includes(scope);
