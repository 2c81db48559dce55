import type { Notes } from "@/lib/account-notes/schema";
import { readFor } from "@/lib/db";
import { iso } from "@/lib/time/clock";

/** How many notes are shown. */
const SHOWN = 100;

/** The newest notes about an account. */
export const readNotes = (accountId: string): Promise<Notes> =>
  readFor(accountId, async (tx) => {
    const notes = await tx.accountNote.findMany({ where: { accountId }, orderBy: { id: "desc" }, take: SHOWN });
    const ids = [...new Set(notes.map(({ writtenBy }) => writtenBy))];
    const people = await tx.user.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
    const names = new Map(people.map(({ id, name }) => [id, name]));
    return {
      data: notes.map(({ id, text, writtenBy, createdAt }) => ({
        ...{ id, text, written_by: names.get(writtenBy) ?? "", created_at: iso(createdAt) },
      })),
    };
  });
