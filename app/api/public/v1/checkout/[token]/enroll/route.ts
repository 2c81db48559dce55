import { asFirst } from "@/lib/checkout/attempt";
import { enrollInPlan, enrollPlanErrors } from "@/lib/checkout/enroll";
import { CheckoutEnroll, CheckoutStarted } from "@/lib/checkout/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Enrol in a plan on its checkout",
      tag: "Checkout",
      auth: "none",
      limit: "checkout-pay-address",
      maxBytes: 8_000,
      ids: { token: "checkout_not_found" },
      body: CheckoutEnroll,
      response: CheckoutStarted,
      errors: enrollPlanErrors,
    },
    ({ params: { token = "" }, body, ip, userAgent, intent }) =>
      asFirst(token, body.attempt, () => enrollInPlan({ ...body, token, ip, userAgent }, intent)),
  ),
});
