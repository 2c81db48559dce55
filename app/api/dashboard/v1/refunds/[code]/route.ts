import { z } from "zod";
import { readRefundDetail } from "@/lib/dashboard/refund";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { RefundDetail } from "@/lib/refunds/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A refund with what its recipients give back and what its subscription does",
      tag: "Dashboard",
      scopes: ["refunds:read"],
      feature: "refunds",
      response: z.object({ data: RefundDetail }),
      errors: ["refund_not_found"],
    },
    async ({ account, params }) => ({ data: await readRefundDetail(account, params.code ?? "") }),
  ),
});
