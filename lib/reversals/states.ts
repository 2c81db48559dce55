import type { RefundStatus } from "@/prisma/client/enums";

/** The statuses of a refund that ended without money moving, which gave back what it held. */
export const releasedRefunds = ["rejected", "cancelled", "failed"] as const satisfies readonly RefundStatus[];
