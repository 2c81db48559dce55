import { readPublicKey } from "@/lib/cards/public-key";
import { PublicKey } from "@/lib/cards/schema";
import { endpoint, methods } from "@/lib/http/endpoint";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account's public key and its domains",
      tag: "Cards",
      scopes: ["cards:read"],
      response: PublicKey,
    },
    ({ account }) => readPublicKey(account),
  ),
});
