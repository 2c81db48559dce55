import type { RefundStatus } from "@/prisma/client/enums";

/** The statuses of a refund that ended without money moving, which gave back what it held. */
export const releasedRefunds = ["rejected", "cancelled", "failed"] as const satisfies readonly RefundStatus[];
/** The statuses of a refund that has not ended, of which a sale has one at most. */
export const openRefunds = ["pending", "approved", "processing"] as const satisfies readonly RefundStatus[];
