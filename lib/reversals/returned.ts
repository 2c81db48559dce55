import type { Happened } from "@/lib/events/consume";
import type { DisputeStatus, RefundStatus } from "@/prisma/client/enums";

/** The status of a refund whose money is with its payer, in which it stays. */
export const returned = "completed" satisfies RefundStatus;
/** The status of a dispute whose money, or a part of it, is with its payer, in which it stays. */
export const lost = "lost" satisfies DisputeStatus;

/** Whether by an event the money of a refund is with its payer. */
export const isReturned = ({ subject, data }: Pick<Happened, "subject" | "data">) =>
  subject === "refund" && (data as { status: string }).status === returned;

/** Whether by an event a dispute is lost. */
export const isLost = ({ subject, data }: Pick<Happened, "subject" | "data">) =>
  subject === "dispute" && (data as { status: string }).status === lost;

/** SQL: what went back of shares, in cents, a row for each refund and lost dispute of their sale. Rows are only added. */
export const RETURNED_SHARES = `select r.account_id, r.transaction_id, p.share_id, p.amount
  from refunds r join refund_shares p on p.account_id = r.account_id and p.refund_id = r.id
  where r.status = '${returned}'
  union all
  select d.account_id, d.transaction_id, p.share_id, p.returned
  from disputes d join dispute_shares p on p.account_id = d.account_id and p.dispute_id = d.id
  where d.status = '${lost}'`;
