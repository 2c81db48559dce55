import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readMonths } from "@/lib/statement/months";
import { MonthsPage, MonthsQuery } from "@/lib/statement/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The closings of the account's months, the last one first: what each began and ended with, and why",
      tag: "Statement",
      scopes: ["balance:read"],
      query: MonthsQuery,
      response: MonthsPage,
    },
    ({ account, query }) => readMonths(account, query),
  ),
});
