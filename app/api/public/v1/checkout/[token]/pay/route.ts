import { asFirst } from "@/lib/checkout/attempt";
import { payErrors, payLink } from "@/lib/checkout/pay";
import { CheckoutPay, CheckoutStarted } from "@/lib/checkout/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Pay a payment link: a Pix code, or a charge of a tokenized card",
      tag: "Checkout",
      auth: "none",
      limit: "checkout-pay-address",
      maxBytes: 8_000,
      ids: { token: "checkout_not_found" },
      body: CheckoutPay,
      response: CheckoutStarted,
      errors: payErrors,
    },
    ({ params: { token = "" }, body, ip, userAgent, intent }) =>
      asFirst(token, body.attempt, () => payLink({ ...body, token, ip, userAgent }, intent)),
  ),
});
