import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { TransactionPage, TransactionQuery } from "@/lib/transactions/schema";
import { listAnyTransactions } from "@/lib/withdrawals/transaction-list";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List transactions, newest first, with filters and search",
      tag: "Transactions",
      scopes: ["transactions:read"],
      query: TransactionQuery,
      response: TransactionPage,
    },
    ({ account, query }) => listAnyTransactions(account, query),
  ),
});
