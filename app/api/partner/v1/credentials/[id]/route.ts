import { z } from "zod";
import { revokeCredential } from "@/lib/credentials/revoke";
import { Credential, CredentialChange } from "@/lib/credentials/schema";
import { updateCredential } from "@/lib/credentials/update";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PATCH: endpoint(
    {
      summary: "Change a credential's name, or the networks from which it may be used",
      tag: "Account",
      scopes: ["credentials:write"],
      stepUp: true,
      ids: { id: "credential_not_found" },
      body: CredentialChange,
      response: z.object({ data: Credential }),
      errors: ["credential_not_found"],
    },
    ({ account, params, body, caller }) =>
      updateCredential(account, { ...body, id: params.id ?? "", isPerson: caller.kind === "session" }),
  ),
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
