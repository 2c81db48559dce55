import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { rotateSecret } from "@/lib/webhooks/rotate";
import { RotatedSecret, RotateInput } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Rotate a webhook's signing secret; the new one is shown once, and the former is used for another day",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      evenIfFull: true,
      body: RotateInput,
      response: RotatedSecret,
      showsSecret: true,
      errors: ["webhook_not_found", "webhook_rotated_too_often"],
    },
    ({ account, params, body, intent }) => rotateSecret(account, { ...body, id: params.id ?? "" }, intent),
  ),
});
