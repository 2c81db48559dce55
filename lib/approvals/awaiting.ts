import type { Awaiting } from "@/lib/approvals/schema";
import type { Tx } from "@/lib/db";
import { iso, realNow } from "@/lib/time/clock";
import type { ApprovalKind } from "@/prisma/client/enums";

/** The answer to a request that waits for a second person. */
export const awaiting = ({ id, lapsesAt }: { id: string; lapsesAt: Date }): Awaiting => ({
  message: "Outra pessoa da equipe precisa aprovar em até 24 horas.",
  approval: { id, lapses_at: iso(lapsesAt) },
});

/** What waits for a second person for these records of an account. */
export const listAwaiting = (tx: Tx, accountId: string, kind: ApprovalKind, subjectIds: string[]) =>
  tx.approval.findMany({
    where: { accountId, status: "pending", kind, subjectId: { in: subjectIds }, lapsesAt: { gt: realNow() } },
  });
