import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resendDelivery } from "@/lib/webhooks/resend";
import { DeliveryAnswer } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Send a delivery again",
      tag: "Webhooks",
      scopes: ["webhooks:write"],
      ids: { delivery_id: "delivery_not_found" },
      response: DeliveryAnswer,
      errors: ["webhook_not_found"],
    },
    ({ account, params, intent }) =>
      resendDelivery(account, { id: params.delivery_id ?? "", webhookId: params.id ?? "" }, intent),
  ),
});
