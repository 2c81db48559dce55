import { fileNameOf } from "@/lib/account-documents/limits";
import { presentDocument, shown } from "@/lib/account-documents/present";
import type { AccountDocument, DocumentFile } from "@/lib/account-documents/schema";
import { documentContext } from "@/lib/account-documents/send";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { openFile } from "@/lib/vault/file";

/** The documents of an account in scope, newest first; their number is limited. */
export async function readDocuments(tx: Tx, accountId: string): Promise<AccountDocument[]> {
  const rows = await tx.accountDocument.findMany({ where: { accountId }, select: shown, orderBy: { id: "desc" } });
  return rows.map(presentDocument);
}

/** A document's file as it was sent. Throws `document_not_found`, also for another account's. */
export async function readDocumentFile(accountId: string, id: string): Promise<DocumentFile> {
  const row = isId(id)
    ? await readFor(accountId, (tx) => tx.accountDocument.findUnique({ where: { accountId_id: { accountId, id } } }))
    : null;
  if (!row) throw new AppError("document_not_found");
  const context = documentContext(accountId, id);
  return {
    contentType: row.contentType,
    name: fileNameOf(presentDocument(row)),
    bytes: openFile(row, context),
  };
}
