import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readStatement } from "@/lib/statement/read";
import { StatementPage, StatementQuery } from "@/lib/statement/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The account's statement: every line of its ledger, newest first, and its balances",
      tag: "Statement",
      scopes: ["balance:read"],
      query: StatementQuery,
      response: StatementPage,
    },
    ({ account, query }) => readStatement(account, query),
  ),
});
