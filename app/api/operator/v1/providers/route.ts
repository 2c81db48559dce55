import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readHealth } from "@/lib/outside/health";
import { Health, HealthQuery } from "@/lib/outside/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "How the providers answered in the last hour or day",
      tag: "Operator",
      auth: "staff",
      query: HealthQuery,
      response: Health,
    },
    ({ query }) => readHealth(query),
  ),
});
