import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listSubscribers } from "@/lib/subscriptions/read";
import { SubscriberPage, SubscriberQuery } from "@/lib/subscriptions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the people who subscribe to any plan, newest first",
      tag: "Subscriptions",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      query: SubscriberQuery,
      response: SubscriberPage,
    },
    ({ account, query }) => listSubscribers(account.id, query),
  ),
});
