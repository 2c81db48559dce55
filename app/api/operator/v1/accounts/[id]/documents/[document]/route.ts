import { readDocumentFile } from "@/lib/account-documents/read";
import { DocumentFile } from "@/lib/account-documents/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The file of a seller's document, as it was sent",
      tag: "Operator",
      auth: "staff",
      staffScope: "personal:read",
      ids: { id: "document_not_found", document: "document_not_found" },
      attachment: true,
      response: DocumentFile,
    },
    ({ params }) => readDocumentFile(params.id ?? "", params.document ?? ""),
  ),
});
