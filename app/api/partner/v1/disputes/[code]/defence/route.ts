import { defendDispute } from "@/lib/disputes/defend";
import { DefenceBody, DisputeAnswer } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Defend a dispute, once, with the files that were sent for it",
      tag: "Disputes",
      scopes: ["disputes:write"],
      evenIfFull: true,
      body: DefenceBody,
      response: DisputeAnswer,
      errors: ["dispute_not_found", "dispute_defended", "invalid_transition", "dispute_deadline_passed"],
    },
    ({ account, params, body, intent }) => defendDispute(account, { ...body, code: params.code ?? "" }, intent),
  ),
});
