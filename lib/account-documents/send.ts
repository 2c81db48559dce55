import { presentDocument, shown } from "@/lib/account-documents/present";
import type { DocumentQuery } from "@/lib/account-documents/schema";
import { documentTypeOf } from "@/lib/account-documents/type";
import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { realNow } from "@/lib/time/clock";
import { sealFile } from "@/lib/vault/file";

/** What a document is encrypted for. */
export const documentContext = (accountId: string, id: string) => `document:${accountId}:${id}`;

/**
 * Keeps a document of a live account, encrypted, in place of one of its kind that nobody has decided about. Throws
 * `account_not_live`, 422 at `file` (`documentTypeOf`) and `document_limit_reached`.
 */
export async function sendDocument(account: AccountContext, input: DocumentQuery & { file: Buffer }, { idem }: Intent) {
  const { id: accountId, mode } = account;
  const { kind, file } = input;
  if (mode !== "live") throw new AppError("account_not_live");
  const contentType = documentTypeOf(file);
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await lockAccount(tx, accountId); // so that two at once are counted one after the other
      await tx.accountDocument.deleteMany({ where: { accountId, kind, status: "sent" } });
      const counted = await tx.accountDocument.count({ where: { accountId, status: { not: "refused" } } });
      if (counted >= limits.documents) throw new AppError("document_limit_reached");
      const id = newId();
      const context = documentContext(accountId, id);
      const row = await tx.accountDocument.create({
        data: {
          ...{ accountId, id, kind, contentType, size: file.byteLength, createdAt: realNow() },
          ...sealFile(file, context),
        },
        select: shown,
      });
      const after = presentDocument(row);
      await recordChange(tx, { accountId, subject: "document", id, verb: "created", after });
      return { data: after };
    }),
  );
}
