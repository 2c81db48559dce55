import { listDifferences } from "@/lib/differences/read";
import { DifferencesPage, DifferencesQuery } from "@/lib/differences/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What PSPs have otherwise than we have it, the newest first",
      tag: "Operator",
      auth: "staff",
      query: DifferencesQuery,
      response: DifferencesPage,
    },
    ({ query }) => listDifferences(query),
  ),
});
