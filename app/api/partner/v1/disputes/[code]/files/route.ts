import { documentTypes } from "@/lib/account-documents/limits";
import { sendEvidence } from "@/lib/disputes/evidence";
import { MAX_EVIDENCE_BYTES } from "@/lib/disputes/limits";
import { EvidenceAnswer, EvidenceQuery } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Send a file of a defence, up to 5 MB: a PDF, PNG or JPEG by its bytes, five in all",
      tag: "Disputes",
      scopes: ["disputes:write"],
      query: EvidenceQuery,
      file: documentTypes,
      maxBytes: MAX_EVIDENCE_BYTES,
      status: 201,
      response: EvidenceAnswer,
      errors: ["dispute_not_found", "dispute_defended", "invalid_transition", "evidence_limit_reached"],
    },
    ({ account, params, query, file, intent }) =>
      sendEvidence(account, { ...query, code: params.code ?? "", file }, intent),
  ),
});
