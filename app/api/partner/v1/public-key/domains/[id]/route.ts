import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { removeDomain } from "@/lib/public-keys/domains";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "Remove a domain; its pages are refused at once",
      tag: "Cards",
      scopes: ["cards:write"],
      ids: { id: "domain_not_found" },
      response: Message,
    },
    ({ account, params }) => removeDomain(account, { id: params.id ?? "" }),
  ),
});
