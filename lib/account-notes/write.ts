import type { NoteBody } from "@/lib/account-notes/schema";
import { requireContext } from "@/lib/accounts/read";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";

type Input = NoteBody & { accountId: string; userId: string };

/**
 * Writes down what the staff know about an account. That it was written is in the platform's history, because the seller reads
 * the account's own. Throws `account_not_found`.
 */
export async function writeNote({ accountId, userId, text }: Input): Promise<{ message: string }> {
  await requireContext(accountId);
  return forAccount([accountId, PLATFORM], async (tx) => {
    const id = newId();
    await tx.accountNote.create({ data: { accountId, id, text, writtenBy: userId } });
    const after = { account: accountId, text };
    await recordChange(tx, { accountId: PLATFORM, subject: "account_note", id, verb: "created", after });
    return { message: "Anotação guardada." };
  });
}
