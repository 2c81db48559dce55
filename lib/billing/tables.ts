import { defineColumns } from "@/lib/database/json-rows";
import {
  type Cycle as CycleRow,
  type Mandate,
  Prisma,
  type Subscription as SubscriptionRow,
} from "@/prisma/client/client";

/** A subscription's row. Its anchor is a local day, written YYYY-MM-DD. */
export type Subscription = Omit<SubscriptionRow, "anchor"> & { anchor: string | null };
/** A cycle's row. Amount in cents. */
export type Cycle = CycleRow;

export const subscriptions = defineColumns<Subscription>(Prisma.SubscriptionScalarFieldEnum, {
  overdueSince: "instant",
  byVisitor: "asIs",
});
export const cycles = defineColumns<Cycle>(Prisma.CycleScalarFieldEnum, { amount: "cents" });
export const mandates = defineColumns<Mandate>(Prisma.MandateScalarFieldEnum, {});
