import type { Happened } from "@/lib/events/consume";
import type { RefundStatus } from "@/prisma/client/enums";

/** The status of a refund whose money is with its payer, in which it stays. */
export const returned = "completed" satisfies RefundStatus;

/** Whether by an event the money of a refund is with its payer. */
export const isReturned = ({ subject, data }: Pick<Happened, "subject" | "data">) =>
  subject === "refund" && (data as { status: string }).status === returned;

/** SQL: what went back of shares, in cents, a row for each refund of their sale. Rows are only added. */
export const RETURNED_SHARES = `select r.account_id, r.transaction_id, p.share_id, p.amount
  from refunds r join refund_shares p on p.account_id = r.account_id and p.refund_id = r.id
  where r.status = '${returned}'`;
