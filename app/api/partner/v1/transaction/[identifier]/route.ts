import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTransactionV1 } from "@/lib/transactions/read";
import { TransactionV1 } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a transaction, V1",
      tag: "Transactions",
      scopes: ["transactions:read"],
      ids: { identifier: "transaction_not_found" },
      response: z.object({ data: TransactionV1 }),
    },
    ({ account, params }) => readTransactionV1(account.id, params.identifier ?? ""),
  ),
});
