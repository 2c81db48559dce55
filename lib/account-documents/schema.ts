import { z } from "zod";
import { documentTypes } from "@/lib/account-documents/limits";
import { documentKinds } from "@/lib/account-documents/states";
import { time } from "@/lib/time/schema";
import { DocumentStatus } from "@/prisma/client/enums";

/** POST /api/dashboard/v1/account/documents?kind=…: the body is the file. */
export const DocumentQuery = z.object({ kind: z.enum(documentKinds, { error: "Diga o que o documento comprova." }) });
export type DocumentQuery = z.output<typeof DocumentQuery>;

export const AccountDocument = z.object({
  id: z.uuid(),
  kind: z.enum(documentKinds),
  status: z.enum(DocumentStatus),
  /** Why it was refused. */
  reason: z.string().nullable(),
  content_type: z.enum(documentTypes),
  size: z.int().meta({ description: "Bytes" }),
  created_at: time,
  decided_at: time.nullable(),
});
export type AccountDocument = z.output<typeof AccountDocument>;
/** A document's file as it was sent. */
export type DocumentFile = { contentType: string; name: string; bytes: Buffer };
export const DocumentFile = z.custom<DocumentFile>();

export const AccountDocumentAnswer = z.object({ data: AccountDocument });
