import { deleteEvidence, readEvidenceFile } from "@/lib/disputes/evidence";
import { EvidenceContent } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A file of a defence, as it was sent",
      tag: "Disputes",
      scopes: ["disputes:read"],
      ids: { id: "evidence_not_found" },
      attachment: true,
      response: EvidenceContent,
      errors: ["dispute_not_found"],
    },
    ({ account, params }) => readEvidenceFile(account.id, { code: params.code ?? "", id: params.id ?? "" }),
  ),
  DELETE: endpoint(
    {
      summary: "Delete a file of a defence that is not sent yet",
      tag: "Disputes",
      scopes: ["disputes:write"],
      evenIfFull: true,
      ids: { id: "evidence_not_found" },
      response: Message,
      errors: ["dispute_not_found", "dispute_defended", "invalid_transition"],
    },
    ({ account, params, intent }) => deleteEvidence(account, { code: params.code ?? "", id: params.id ?? "" }, intent),
  ),
});
