import { documentTypes, MAX_DOCUMENT_BYTES } from "@/lib/account-documents/limits";
import { AccountDocumentAnswer, DocumentQuery } from "@/lib/account-documents/schema";
import { sendDocument } from "@/lib/account-documents/send";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readOnboarding } from "@/lib/onboarding/read";
import { OnboardingAnswer } from "@/lib/onboarding/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The documents of the live account, and what its review still needs",
      tag: "Account",
      scopes: ["profile:read"],
      response: OnboardingAnswer,
      errors: ["account_not_live"],
    },
    ({ account }) => readOnboarding(account.id),
  ),
  POST: endpoint(
    {
      summary: "Send a document for the review, up to 4 MB, in place of one of its kind that waits",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      query: DocumentQuery,
      file: documentTypes,
      maxBytes: MAX_DOCUMENT_BYTES,
      status: 201,
      response: AccountDocumentAnswer,
      errors: ["account_not_live", "document_limit_reached"],
    },
    ({ account, query, file, intent }) => sendDocument(account, { ...query, file }, intent),
  ),
});
