import { mintToken } from "@/lib/credentials/mint-token";
import { AuthToken, AuthTokenBody } from "@/lib/credentials/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Mint an access token of one hour",
      tag: "Account",
      auth: "none",
      limit: "auth-token-address",
      maxBytes: 8_000,
      body: AuthTokenBody,
      response: AuthToken,
      errors: ["invalid_client", "ip_not_allowed"],
    },
    ({ body, ip }) => mintToken({ ...body, ip }),
  ),
});
