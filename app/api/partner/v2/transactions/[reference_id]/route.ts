import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTransactionV2 } from "@/lib/transactions/read";
import { TransactionV2 } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Look up a transaction, V2",
      tag: "Transactions",
      scopes: ["transactions:read"],
      ids: { reference_id: "transaction_not_found" },
      response: z.object({ data: TransactionV2 }),
    },
    ({ account, params }) => readTransactionV2(account.id, params.reference_id ?? ""),
  ),
});
