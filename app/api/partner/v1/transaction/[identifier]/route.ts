import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { TransactionV1 } from "@/lib/transactions/schema";
import { readAnyTransactionV1 } from "@/lib/withdrawals/transaction-v1";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a transaction, V1",
      tag: "Transactions",
      scopes: ["transactions:read"],
      ids: { identifier: "transaction_not_found" },
      response: z.object({ data: TransactionV1 }),
    },
    ({ account, params }) => readAnyTransactionV1(account.id, params.identifier ?? ""),
  ),
});
