import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readPublicKey } from "@/lib/public-keys/public-key";
import { PublicKey } from "@/lib/public-keys/schema";

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
