import { z } from "zod";
import { time } from "@/lib/time/schema";
import { ApprovalKind, ApprovalStatus } from "@/prisma/client/enums";

const person = z.object({ id: z.uuid(), name: z.string() });

export const Approval = z.object({
  id: z.uuid(),
  kind: z.enum(ApprovalKind),
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
