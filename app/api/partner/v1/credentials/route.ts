import { z } from "zod";
import { createCredential } from "@/lib/credentials/create";
import { listCredentials } from "@/lib/credentials/read";
import { CredentialBody, ListedCredential, NewCredential } from "@/lib/credentials/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PageQuery, pageOf } from "@/lib/lists/pagination";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List credentials, newest first",
      tag: "Account",
      scopes: ["credentials:read"],
      query: PageQuery,
      response: pageOf(ListedCredential),
    },
    ({ account, query }) => listCredentials(account.id, query),
  ),
  POST: endpoint(
    {
      summary: "Make a credential; its secrets are shown once",
      tag: "Account",
      scopes: ["credentials:write"],
      stepUp: true,
      body: CredentialBody,
      status: 201,
      response: z.object({ data: NewCredential }),
      showsSecret: true,
    },
    ({ account, body, caller, intent }) => createCredential(account, { ...body, maker: caller }, intent),
  ),
});
