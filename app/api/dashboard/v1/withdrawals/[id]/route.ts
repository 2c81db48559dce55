import { z } from "zod";
import { readWithdrawalDetail } from "@/lib/dashboard/withdrawal";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { WithdrawalDetail } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "A withdrawal with who asked for it, and whether the person may decide about it",
      tag: "Dashboard",
      auth: "session",
      scopes: ["withdrawals:read"],
      feature: "cash_out",
      response: z.object({ data: WithdrawalDetail }),
      errors: ["withdrawal_not_found"],
    },
    async ({ account, params, caller }) => ({
      data: await readWithdrawalDetail(account, params.id ?? "", caller.userId),
    }),
  ),
});
