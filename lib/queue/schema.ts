import { z } from "zod";
import { time } from "@/lib/time/schema";
import { Mode } from "@/prisma/client/enums";

/** What waits for a person of the staff, in the order of the menu. */
export const queueNames = [
  "accounts",
  "profile_requests",
  "refunds",
  "disputes",
  "withdrawals",
  "unmatched",
  "differences",
] as const;
export type QueueName = (typeof queueNames)[number];

/** GET /api/operator/v1/queue */
export const QueueQuery = z.object({ mode: z.enum(Mode).default("live") });
export type QueueQuery = z.output<typeof QueueQuery>;

/** How many of a kind wait, counted to 10,000, and since when the one that waits longest does. */
export const Waiting = z.object({ name: z.enum(queueNames), count: z.int(), oldest_at: time.nullable() });
export type Waiting = z.output<typeof Waiting>;

/** The longest waiting first; what nobody waits for is last. */
export const Queue = z.object({ data: z.array(Waiting) });
export type Queue = z.output<typeof Queue>;
