import { z } from "zod";

/** What people of a seller's team are mailed about. */
export const topics = ["payments", "refunds", "withdrawals", "webhooks", "invites"] as const;
export type Topic = (typeof topics)[number];

/** GET and PUT /api/dashboard/v1/notifications: what the person is mailed about. */
export const Notifications = z.object({ topics: z.array(z.enum(topics)).max(topics.length) });
export type Notifications = z.output<typeof Notifications>;
