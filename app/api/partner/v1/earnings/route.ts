import { listEarnings } from "@/lib/earnings/read";
import { EarningPage, EarningQuery } from "@/lib/earnings/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what the account earned by its shares of others' sales, the last paid first",
      tag: "Splits",
      scopes: ["splits:read"],
      query: EarningQuery,
      response: EarningPage,
    },
    ({ account, query }) => listEarnings(account, query),
  ),
});
