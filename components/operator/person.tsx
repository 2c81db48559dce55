"use client";
import { createContext, type ReactNode, useContext } from "react";
import type { StaffScope } from "@/lib/auth/scopes";

const Scopes = createContext<readonly StaffScope[]>([]);

type Props = { scopes: readonly StaffScope[]; children: ReactNode };

/** Gives the console's pages what their person may do. */
export const StaffScopes = ({ scopes, children }: Props) => <Scopes value={scopes}>{children}</Scopes>;

/** Whether the person may do what has this scope; what they may not is not shown. The API decides anew. */
export const useStaffMay = (scope: StaffScope) => useContext(Scopes).includes(scope);
