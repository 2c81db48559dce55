import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTransactionV2 } from "@/lib/transactions/read";
import { TransactionAnswer } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a transaction, V2",
      tag: "Transactions",
      scopes: ["transactions:read"],
      ids: { reference_id: "transaction_not_found" },
      response: TransactionAnswer,
    },
    ({ account, params }) => readTransactionV2(account.id, params.reference_id ?? ""),
  ),
});
