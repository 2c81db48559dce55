import { decimal } from "@/lib/money";
import type { Invite } from "@/lib/subscription-splits/schema";
import { isoMilliseconds } from "@/lib/time/clock";
import type { PlanSplit } from "@/prisma/client/client";

/** SQL: the columns of an `InviteRow`, of the splits `s`. */
export const inviteColumns = `s.id, s.account_id as "accountId", s.recipient_id as "recipientId", s.plan_id as "planId", s.email, s.name, s.status,
  s.basis_points as "basisPoints", s.invited_at as "invitedAt", s.accepted_at as "acceptedAt", o.number,
  o.name as "planName", o.amount, o.periodicity_days as "periodicityDays", o.product, o.seller_name as "sellerName",
  o.seller_email as "sellerEmail"`;

/** SQL: what the seller of each split of `s` offers, which its recipient could not read itself. */
export const withOffer = "cross join lateral plan_offer(s.account_id, s.plan_id) o";

type Own =
  | "id"
  | "accountId"
  | "recipientId"
  | "planId"
  | "email"
  | "name"
  | "status"
  | "basisPoints"
  | "invitedAt"
  | "acceptedAt";

/** A split with its offer. Amount in cents. */
export type InviteRow = Pick<PlanSplit, Own> & {
  number: number;
  planName: string;
  amount: bigint;
  periodicityDays: number;
  product: string | null;
  sellerName: string;
  sellerEmail: string;
};

export const presentInvite = (row: InviteRow): Invite => ({
  id: row.id,
  percentage: decimal(row.basisPoints),
  status: row.status,
  invited_at: isoMilliseconds(row.invitedAt),
  accepted_at: row.acceptedAt && isoMilliseconds(row.acceptedAt),
  recipient: { email: row.email, name: row.name },
  plan: {
    id: row.number,
    token: row.planId,
    name: row.planName,
    amount: decimal(row.amount),
    periodicity_days: row.periodicityDays,
    product: row.product,
    seller: { name: row.sellerName, email: row.sellerEmail },
  },
});
