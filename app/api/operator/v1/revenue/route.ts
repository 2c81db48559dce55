import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readRevenue } from "@/lib/revenue/read";
import { Revenue, RevenueQuery } from "@/lib/revenue/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What the platform earned by day, account and method",
      tag: "Operator",
      auth: "staff",
      query: RevenueQuery,
      response: Revenue,
    },
    ({ query }) => readRevenue(query),
  ),
});
