import { z } from "zod";
import { readTransactionDetail } from "@/lib/dashboard/transaction";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { TransactionDetail } from "@/lib/transactions/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A transaction with its money line by line and its timeline",
      tag: "Dashboard",
      scopes: ["transactions:read"],
      ids: { id: "transaction_not_found" },
      response: z.object({ data: TransactionDetail }),
    },
    async ({ account, params }) => ({ data: await readTransactionDetail(account, params.id ?? "") }),
  ),
});
