import { listTotals } from "@/lib/earnings/read";
import { TotalPage } from "@/lib/earnings/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PageQuery } from "@/lib/lists/pagination";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List what the account earned by month, seller and plan, the last month first",
      tag: "Splits",
      scopes: ["splits:read"],
      query: PageQuery,
      response: TotalPage,
    },
    ({ account, query }) => listTotals(account, query),
  ),
});
