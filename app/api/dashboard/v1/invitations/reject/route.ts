import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { rejectSplit } from "@/lib/subscription-splits/answer";
import { ByLink, InviteAnswer } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Reject the invite of a mail's link",
      tag: "Splits",
      scopes: ["splits:write"],
      body: ByLink,
      response: InviteAnswer,
      errors: ["split_not_found", "split_own_account", "invalid_transition"],
    },
    ({ account, body, intent }) => rejectSplit(account, body, intent),
  ),
});
