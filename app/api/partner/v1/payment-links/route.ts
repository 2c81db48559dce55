import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { createPaymentLink } from "@/lib/payment-links/create";
import { listPaymentLinks } from "@/lib/payment-links/read";
import { PaymentLinkAnswer, PaymentLinkInput, PaymentLinkPage, PaymentLinkQuery } from "@/lib/payment-links/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List payment links, newest first",
      tag: "Payment links",
      scopes: ["transactions:read"],
      query: PaymentLinkQuery,
      response: PaymentLinkPage,
    },
    ({ account, query }) => listPaymentLinks(account, query),
  ),
  POST: endpoint(
    {
      summary: "Create a payment link: a page on which anybody pays one amount",
      tag: "Payment links",
      scopes: ["transactions:write"],
      body: PaymentLinkInput,
      status: 201,
      response: PaymentLinkAnswer,
      errors: ["amount_below_minimum", "payment_link_limit_reached"],
    },
    ({ account, body, intent }) => createPaymentLink(account, body, intent),
  ),
});
