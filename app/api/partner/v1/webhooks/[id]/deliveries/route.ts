import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listDeliveries } from "@/lib/webhooks/read";
import { DeliveryPage, DeliveryQuery } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List a webhook's deliveries with their attempts, newest first",
      tag: "Webhooks",
      scopes: ["webhooks:read"],
      query: DeliveryQuery,
      response: DeliveryPage,
      errors: ["webhook_not_found"],
    },
    ({ account, params, query }) => listDeliveries(account.id, params.id ?? "", query),
  ),
});
