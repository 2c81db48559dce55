import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { rejectSplit } from "@/lib/subscription-splits/answer";
import { InviteAnswer } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Reject a received invite",
      tag: "Splits",
      scopes: ["splits:write"],
      response: InviteAnswer,
      errors: ["split_not_found", "split_own_account", "invalid_transition"],
    },
    ({ account, params, intent }) => rejectSplit(account, { id: params.id ?? "" }, intent),
  ),
});
