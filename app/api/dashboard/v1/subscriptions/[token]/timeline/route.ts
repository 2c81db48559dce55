import { z } from "zod";
import { SubscriptionTimeline } from "@/lib/dashboard/schema";
import { readSubscriptionTimeline } from "@/lib/dashboard/subscription";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened around a subscription, newest first",
      tag: "Dashboard",
      scopes: ["subscriptions:read"],
      feature: "recurring",
      ids: { token: "subscription_not_found" },
      response: z.object({ data: SubscriptionTimeline }),
    },
    async ({ account, params }) => ({ data: await readSubscriptionTimeline(account, params.token ?? "") }),
  ),
});
