import { readDocumentFile } from "@/lib/account-documents/read";
import { DocumentFile } from "@/lib/account-documents/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A document's file, as it was sent",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      ids: { id: "document_not_found" },
      attachment: true,
      response: DocumentFile,
    },
    ({ account, params }) => readDocumentFile(account.id, params.id ?? ""),
  ),
});
