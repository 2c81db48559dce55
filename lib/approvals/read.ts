import { mayDecide } from "@/lib/approvals/ask";
import { type Approval, TeamKind } from "@/lib/approvals/schema";
import { readFor } from "@/lib/db";
import { iso, isoOrNull, realNow } from "@/lib/time/clock";
import type { Role } from "@/prisma/client/enums";

/** How many that wait are shown, the oldest first. */
const WAITING = 200;
/** How many that were decided are shown. */
const DECIDED = 50;

/** The staff decides on the others. */
const ofTeam = { kind: { in: [...TeamKind.options] } };

type Reader = { userId: string; role: Role };

/** What waits for a second person of an account, the oldest first, and then what was decided lately, the newest first. */
export const listApprovals = (accountId: string, { userId, role }: Reader): Promise<{ data: Approval[] }> =>
  readFor(accountId, async (tx) => {
    const waiting = await tx.approval.findMany({
      where: { accountId, status: "pending", ...ofTeam },
      orderBy: { id: "asc" },
      take: WAITING,
    });
    const decided = await tx.approval.findMany({
      where: { accountId, status: { not: "pending" }, ...ofTeam },
      orderBy: { id: "desc" },
      take: DECIDED,
    });
    const rows = [...waiting, ...decided].map((row) => ({ ...row, kind: row.kind as TeamKind }));
    const ids = [
      ...new Set(rows.flatMap(({ askedBy, decidedBy, subjectId }) => [askedBy, decidedBy ?? [], subjectId].flat())),
    ];
    const people = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
    const credentials = await tx.credential.findMany({
      where: { accountId, clientId: { in: ids } },
      select: { clientId: true, name: true },
    });
    const names = new Map([
      ...people.map(({ id, name }) => [id, name] as const),
      ...credentials.map(({ clientId, name }) => [clientId, name] as const),
    ]);
    const personOf = (id: string) => ({ id, name: names.get(id) ?? "" });
    const now = realNow();
    return {
      data: rows.map((row) => ({
        ...{ id: row.id, kind: row.kind, status: row.status, subject_id: row.subjectId },
        subject_name: names.get(row.subjectId) ?? null,
        asked: row.asked as Record<string, unknown>,
        asked_by: personOf(row.askedBy),
        decided_by: row.decidedBy === null ? null : personOf(row.decidedBy),
        decided_at: isoOrNull(row.decidedAt),
        ...{ created_at: iso(row.createdAt), lapses_at: iso(row.lapsesAt) },
        is_mine: row.askedBy === userId,
        may_decide:
          row.status === "pending" && row.lapsesAt > now && row.askedBy !== userId && mayDecide(row.kind, role),
      })),
    };
  });
