import { z } from "zod";
import { topics } from "@/lib/notifications/topics";

/** GET and PUT /api/dashboard/v1/notifications: what the person is mailed about. */
export const Notifications = z.object({ topics: z.array(z.enum(topics)).max(topics.length) });
export type Notifications = z.output<typeof Notifications>;
