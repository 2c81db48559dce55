import { CheckoutStatus, CheckoutStatusQuery } from "@/lib/checkout/schema";
import { readPayment } from "@/lib/checkout/status";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A payment that began on the checkout, as it is now",
      tag: "Checkout",
      auth: "none",
      limit: "checkout-status-address",
      ids: { token: "checkout_not_found" },
      query: CheckoutStatusQuery,
      response: CheckoutStatus,
      errors: ["checkout_not_found"],
    },
    ({ params, query }) => readPayment(params.token ?? "", query.payment),
  ),
});
