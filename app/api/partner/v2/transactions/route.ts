import { assertMay, endpoint } from "@/lib/http/endpoint";
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
      errors: ["feature_disabled"],
    },
    ({ caller, account, query }) => {
      if (query.type === "cash_out") assertMay(caller, { scopes: ["withdrawals:read"], feature: "cash_out" });
      return listAnyTransactions(account, query);
    },
  ),
});
