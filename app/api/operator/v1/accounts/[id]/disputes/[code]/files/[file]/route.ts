import { readEvidenceFile } from "@/lib/disputes/evidence";
import { EvidenceContent } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A file of a seller's defence, as it was sent",
      tag: "Operator",
      auth: "staff",
      staffScope: "personal:read",
      ids: { id: "dispute_not_found", file: "evidence_not_found" },
      attachment: true,
      response: EvidenceContent,
      errors: ["dispute_not_found"],
    },
    ({ params }) => readEvidenceFile(params.id ?? "", { code: params.code ?? "", id: params.file ?? "" }),
  ),
});
