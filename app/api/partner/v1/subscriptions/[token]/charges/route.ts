import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PageQuery } from "@/lib/lists/pagination";
import { listCharges } from "@/lib/subscriptions/read";
import { ChargePage } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the charges of a subscription, newest first",
      tag: "Subscriptions",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      query: PageQuery,
      response: ChargePage,
    },
    ({ account, params, query }) => listCharges(account, params.token ?? "", query),
  ),
});
