import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { HealthQuery } from "@/lib/outside/schema";
import { readRails } from "@/lib/providers/health";
import { RailsHealth } from "@/lib/providers/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary:
        "Every rail: its last success, its answers, what waits for it, and how each kind of call was answered in the last hour or day",
      tag: "Operator",
      auth: "staff",
      query: HealthQuery,
      response: RailsHealth,
    },
    ({ query }) => readRails(query),
  ),
});
