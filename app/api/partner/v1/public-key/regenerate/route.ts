import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { regeneratePublicKey } from "@/lib/public-keys/public-key";
import { PublicKey } from "@/lib/public-keys/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Make a new public key; the one before is refused at once",
      tag: "Cards",
      scopes: ["cards:write"],
      stepUp: true,
      evenIfFull: true,
      response: PublicKey,
    },
    ({ account, intent }) => regeneratePublicKey(account, intent),
  ),
});
