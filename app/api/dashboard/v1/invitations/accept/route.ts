import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { ByLink, InviteAnswer } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Accept the invite of a mail's link, whatever the account's own e-mail is",
      tag: "Splits",
      scopes: ["splits:write"],
      body: ByLink,
      response: InviteAnswer,
      errors: ["split_not_found", "split_own_account", "invalid_transition"],
    },
    ({ account, body, intent }) => acceptSplit(account, body, intent),
  ),
});
