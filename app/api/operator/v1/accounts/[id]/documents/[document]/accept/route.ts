import { acceptDocument } from "@/lib/account-documents/decide";
import { AccountDocumentAnswer } from "@/lib/account-documents/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Accept a seller's document",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      acceptsKey: true,
      ids: { id: "document_not_found", document: "document_not_found" },
      response: AccountDocumentAnswer,
      errors: ["invalid_transition"],
    },
    ({ params, intent }) => acceptDocument({ accountId: params.id ?? "", id: params.document ?? "" }, intent),
  ),
});
