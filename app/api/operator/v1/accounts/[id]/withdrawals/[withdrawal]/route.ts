import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { StaffWithdrawal } from "@/lib/withdrawals/schema";
import { readForDecision } from "@/lib/withdrawals/waiting";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A withdrawal of a seller, for who decides about it",
      tag: "Operator",
      auth: "staff",
      ids: { id: "withdrawal_not_found", withdrawal: "withdrawal_not_found" },
      response: z.object({ data: StaffWithdrawal }),
      errors: ["withdrawal_not_found"],
    },
    ({ params }) => readForDecision(params.id ?? "", params.withdrawal ?? ""),
  ),
});
