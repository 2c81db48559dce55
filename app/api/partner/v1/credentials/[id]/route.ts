import { revokeCredential } from "@/lib/credentials/revoke";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "Revoke a credential and its tokens",
      tag: "Account",
      scopes: ["credentials:write"],
      ids: { id: "credential_not_found" },
      response: Message,
    },
    ({ account, params }) => revokeCredential(account, { id: params.id ?? "" }),
  ),
});
