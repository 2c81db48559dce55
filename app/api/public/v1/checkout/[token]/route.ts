import { readCheckout } from "@/lib/checkout/find";
import { Checkout } from "@/lib/checkout/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What a payment link or a plan offers, for whoever has its token",
      tag: "Checkout",
      auth: "none",
      limit: "checkout-address",
      ids: { token: "checkout_not_found" },
      response: Checkout,
      errors: ["checkout_not_found"],
    },
    ({ params }) => readCheckout(params.token ?? ""),
  ),
});
