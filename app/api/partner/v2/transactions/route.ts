import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listTransactions } from "@/lib/transactions/list";
import { TransactionPage, TransactionQuery } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List transactions, newest first, with filters and search",
      tag: "Transactions",
      scopes: ["transactions:read"],
      query: TransactionQuery,
      response: TransactionPage,
    },
    ({ account, query }) => listTransactions(account, query),
  ),
});
