import { z } from "zod";
import { time } from "@/lib/time/schema";
import { ApprovalKind, ApprovalStatus, Role } from "@/prisma/client/enums";

/** What the account's own team decides. */
export const TeamKind = z.enum(ApprovalKind).exclude(["second_factor_reset"]);
export type TeamKind = z.output<typeof TeamKind>;

const person = z.object({ id: z.uuid(), name: z.string() });

export const Approval = z.object({
  id: z.uuid(),
  kind: TeamKind,
  status: z.enum(ApprovalStatus),
  subject_id: z.uuid(),
  /** The name of the person or the credential that it concerns; null of a sale. */
  subject_name: z.string().nullable(),
  /** What was asked for, as it will be done. */
  asked: z.record(z.string(), z.unknown()),
  asked_by: person,
  decided_by: person.nullable(),
  decided_at: time.nullable(),
  created_at: time,
  lapses_at: time,
  /** Whether the person who reads it asked for it. */
  is_mine: z.boolean(),
  /** Whether the person who reads it may decide. */
  may_decide: z.boolean(),
});
export type Approval = z.output<typeof Approval>;

/** GET /api/dashboard/v1/approvals: what waits, the oldest first, and after it what was decided, the newest first. */
export const Approvals = z.object({ data: z.array(Approval) });
export type Approvals = z.output<typeof Approvals>;

/** The answer to a request that waits for a second person. */
export const Awaiting = z.object({
  message: z.string(),
  approval: z.object({ id: z.uuid(), lapses_at: time }),
});
export type Awaiting = z.output<typeof Awaiting>;

/** A person of a seller's team, as the operator's staff sees them; `reset` is one of the second factor that waits. */
const SellersPerson = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.enum(Role),
  has_second_factor: z.boolean(),
  reset: z.object({ is_mine: z.boolean(), lapses_at: time }).nullable(),
});

/** GET /api/operator/v1/accounts/{id}/people */
export const SellersPeople = z.object({ data: z.array(SellersPerson) });
export type SellersPeople = z.output<typeof SellersPeople>;
