import { z } from "zod";
import { postAdjustment } from "@/lib/adjustments/post";
import { Adjustment, AdjustmentBody } from "@/lib/adjustments/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Credit or debit an account's available balance, with a reason that the seller reads",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      acceptsKey: true,
      ids: { id: "account_not_found" },
      body: AdjustmentBody,
      status: 201,
      response: z.object({ data: Adjustment }),
      errors: ["insufficient_balance"],
    },
    ({ params, body, intent }) => postAdjustment({ ...body, accountId: params.id ?? "" }, intent),
  ),
});
