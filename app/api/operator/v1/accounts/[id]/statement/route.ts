import { SellersStatement } from "@/lib/dashboard/schema";
import { readSellersStatement } from "@/lib/dashboard/sellers-statement";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { StatementQuery } from "@/lib/statement/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A seller's statement: every line of its ledger, newest first, and its balances",
      tag: "Operator",
      auth: "staff",
      ids: { id: "account_not_found" },
      query: StatementQuery,
      response: SellersStatement,
    },
    ({ params, caller, query }) => readSellersStatement({ userId: caller.userId, accountId: params.id ?? "" }, query),
  ),
});
