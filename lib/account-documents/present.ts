import type { AccountDocument } from "@/lib/account-documents/schema";
import { iso, isoOrNull } from "@/lib/time/clock";
import type { AccountDocument as Row } from "@/prisma/client/client";

/** What is read of a document's row: never its bytes. */
export const shown = {
  ...{ id: true, kind: true, status: true, reason: true, contentType: true, size: true },
  ...{ createdAt: true, decidedAt: true },
} as const;

export const presentDocument = (row: Pick<Row, keyof typeof shown>): AccountDocument => ({
  ...{ id: row.id, kind: row.kind, status: row.status, reason: row.reason, size: row.size },
  content_type: row.contentType as AccountDocument["content_type"],
  ...{ created_at: iso(row.createdAt), decided_at: isoOrNull(row.decidedAt) },
});
