import { dayOf } from "@/lib/billing/calendar";
import type { Cycle } from "@/lib/billing/tables";
import type { Row } from "@/lib/database/json-rows";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { Mandate } from "@/prisma/client/client";

/** A charge as an event keeps it, from which its body is rendered at any time. Amount in cents. */
export type ChargeRow = Pick<Cycle, "number" | "kind" | "status"> & {
  amount: number;
  due_date: string;
  expires_at: string;
  paid_at: string | null;
  pix_code: string | null;
  identifier: string | null;
};

/** The charge of a cycle, with the code by which it can be paid. */
export const chargeRow = (cycle: Cycle, zone: string, pixCode: string | null): ChargeRow => ({
  ...{ number: cycle.number, kind: cycle.kind, status: cycle.status },
  ...{ amount: Number(cycle.amount), due_date: dayOf(cycle.dueAt, zone), expires_at: iso(cycle.expiresAt) },
  ...{ paid_at: isoOrNull(cycle.paidAt), pix_code: pixCode, identifier: cycle.codeSaleId ?? cycle.transactionId },
});

/** A mandate as the API and an event show it. */
export const presentMandate = (mandate: Mandate) => ({
  ...{ id: mandate.providerId, status: mandate.status },
  ...{ authorized_at: isoOrNull(mandate.authorizedAt), cancelled_at: isoOrNull(mandate.cancelledAt) },
  ...{ cancelled_by: mandate.cancelledBy, cancel_reason: mandate.cancelReason, created_at: iso(mandate.createdAt) },
});

/** What an event keeps: the subscription as it was then, when its next charge is due, and the charge that it is about. */
export type EventRecord = {
  subscription: Row;
  next_charge_at: string | null;
  charge: Row | null;
  mandate: ReturnType<typeof presentMandate> | null;
  /** Whether an anonymous visitor enrolled, and has not paid yet. */
  by_visitor?: true;
};
