import type { Role } from "@/prisma/client/enums";

/** What people of a seller's team are mailed about. */
export const topics = ["payments", "refunds", "webhooks", "invites"] as const;
export type Topic = (typeof topics)[number];

/** What a person is mailed about who has chosen nothing: an owner everything, others nothing. */
export const defaultTopics = (role: Role): Topic[] => (role === "owner" ? [...topics] : []);
