import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readPaymentLink } from "@/lib/payment-links/read";
import { PaymentLinkAnswer, PaymentLinkChange } from "@/lib/payment-links/schema";
import { updatePaymentLink } from "@/lib/payment-links/update";

const link = { tag: "Payment links", ids: { token: "payment_link_not_found" } } as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { ...link, summary: "A payment link", scopes: ["transactions:read"], response: PaymentLinkAnswer },
    ({ account, params }) => readPaymentLink(account, params.token ?? ""),
  ),
  PATCH: endpoint(
    {
      ...link,
      summary: "Change a payment link, or switch it off and on",
      scopes: ["transactions:write"],
      body: PaymentLinkChange,
      response: PaymentLinkAnswer,
      errors: ["amount_below_minimum"],
    },
    ({ account, params, body, intent }) => updatePaymentLink(account, { ...body, id: params.token ?? "" }, intent),
  ),
});
