import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { CursorQuery } from "@/lib/lists/pagination";
import { listPayments } from "@/lib/payment-links/payments";
import { LinkPaymentPage } from "@/lib/payment-links/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the payments of a link, newest first",
      tag: "Payment links",
      scopes: ["transactions:read"],
      ids: { token: "payment_link_not_found" },
      query: CursorQuery,
      response: LinkPaymentPage,
    },
    ({ account, params, query }) => listPayments(account.id, params.token ?? "", query),
  ),
});
