import { readDispute } from "@/lib/disputes/detail";
import { DisputeAnswer } from "@/lib/disputes/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a dispute with its history and the files of its defence",
      tag: "Disputes",
      scopes: ["disputes:read"],
      response: DisputeAnswer,
      errors: ["dispute_not_found"],
    },
    ({ account, params }) => readDispute(account.id, params.code ?? ""),
  ),
});
