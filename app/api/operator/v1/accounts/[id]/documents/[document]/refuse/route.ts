import { refuseDocument } from "@/lib/account-documents/decide";
import { AccountDocumentAnswer } from "@/lib/account-documents/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { RefusalBody } from "@/lib/reviews/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Refuse a seller's document, with a reason that the seller reads",
      tag: "Operator",
      auth: "staff",
      staffScope: "accounts:write",
      acceptsKey: true,
      ids: { id: "document_not_found", document: "document_not_found" },
      body: RefusalBody,
      response: AccountDocumentAnswer,
      errors: ["invalid_transition"],
    },
    ({ params, body, intent }) =>
      refuseDocument({ ...body, accountId: params.id ?? "", id: params.document ?? "" }, intent),
  ),
});
