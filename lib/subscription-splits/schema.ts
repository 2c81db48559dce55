import { z } from "zod";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { SplitStatus } from "@/prisma/client/enums";

const status = z.enum(SplitStatus);

const time = z.string().meta({ description: "ISO 8601, UTC, milliseconds", example: "2026-01-31T12:00:00.000Z" });

/** A split as its two sides see it. */
export const Invite = z.object({
  id: z.int(),
  percentage: z.string().meta({ description: "Percent of the net value, two decimals", example: "12.50" }),
  status,
  invited_at: time,
  accepted_at: time.nullable(),
  recipient: z.object({ email: z.string(), name: z.string() }),
  plan: z.object({
    id: z.int(),
    token: z.uuid(),
    name: z.string(),
    amount: z.string().meta({ description: "Reais, two decimals", example: "19.99" }),
    periodicity_days: z.int(),
    product: z.string().nullable().meta({ description: "The product's name" }),
    seller: z.object({ name: z.string(), email: z.string() }),
  }),
});
export type Invite = z.output<typeof Invite>;

export const InviteAnswer = z.object({ data: Invite });
export const RemovedSplit = z.object({ message: z.string() });

export const SplitQuery = PageQuery.extend({ status: status.optional() });
export type SplitQuery = z.output<typeof SplitQuery>;
export const InvitePage = pageOf(Invite);
export type InvitePage = z.output<typeof InvitePage>;

/** Whose invite is answered by the secret in its mail's link, which no address of a request may hold. */
export const ByLink = z.object({ secret: z.string().max(100) });
