import { asIs, cents, defineColumns, instant } from "@/lib/database/json-rows";
import type { Cycle as CycleRow, Mandate, Subscription as SubscriptionRow } from "@/prisma/client/client";

/** A subscription's row. Its anchor is a local day, written YYYY-MM-DD. */
export type Subscription = Omit<SubscriptionRow, "anchor"> & { anchor: string | null };
/** A cycle's row. Amount in cents. */
export type Cycle = CycleRow;

export const subscriptions = defineColumns<Subscription>({
  id: ["id", asIs],
  accountId: ["account_id", asIs],
  subscriberId: ["subscriber_id", asIs],
  planId: ["plan_id", asIs],
  planVersion: ["plan_version", asIs],
  productId: ["product_id", asIs],
  name: ["name", asIs],
  email: ["email", asIs],
  document: ["document", asIs],
  phone: ["phone", asIs],
  status: ["status", asIs],
  anchor: ["anchor", asIs],
  anchorCycle: ["anchor_cycle", asIs],
  nextCycle: ["next_cycle", asIs],
  cycleId: ["cycle_id", asIs],
  actAt: ["act_at", instant],
  newPlanId: ["new_plan_id", asIs],
  newPlanVersion: ["new_plan_version", asIs],
  storedCardId: ["stored_card_id", asIs],
  cardWarnings: ["card_warnings", asIs],
  mandateId: ["mandate_id", asIs],
  startedAt: ["started_at", instant],
  overdueSince: ["overdue_since", instant],
  suspendedAt: ["suspended_at", instant],
  pausedAt: ["paused_at", instant],
  resumesAt: ["resumes_at", instant],
  paidDaysLeft: ["paid_days_left", asIs],
  endsAt: ["ends_at", instant],
  cancelledAt: ["cancelled_at", instant],
  reason: ["reason", asIs],
  byVisitor: ["by_visitor", asIs],
  createdAt: ["created_at", instant],
  updatedAt: ["updated_at", instant],
});

export const cycles = defineColumns<Cycle>({
  id: ["id", asIs],
  accountId: ["account_id", asIs],
  subscriptionId: ["subscription_id", asIs],
  kind: ["kind", asIs],
  number: ["number", asIs],
  planId: ["plan_id", asIs],
  planVersion: ["plan_version", asIs],
  amount: ["amount", cents],
  status: ["status", asIs],
  dueAt: ["due_at", instant],
  expiresAt: ["expires_at", instant],
  paidAt: ["paid_at", instant],
  transactionId: ["transaction_id", asIs],
  codeSaleId: ["code_sale_id", asIs],
  chargingSaleId: ["charging_sale_id", asIs],
  failedDebitSaleId: ["failed_debit_sale_id", asIs],
  retries: ["retries", asIs],
  retryAt: ["retry_at", instant],
  reminders: ["reminders", asIs],
  createdAt: ["created_at", instant],
  updatedAt: ["updated_at", instant],
});

export const mandates = defineColumns<Mandate>({
  id: ["id", asIs],
  accountId: ["account_id", asIs],
  subscriptionId: ["subscription_id", asIs],
  provider: ["provider", asIs],
  providerId: ["provider_id", asIs],
  status: ["status", asIs],
  cancelledBy: ["cancelled_by", asIs],
  createdAt: ["created_at", instant],
  updatedAt: ["updated_at", instant],
});
