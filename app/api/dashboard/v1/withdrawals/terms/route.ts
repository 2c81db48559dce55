import { z } from "zod";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { WithdrawalTerms } from "@/lib/withdrawals/schema";
import { readWithdrawalTerms } from "@/lib/withdrawals/terms";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What a person may withdraw now, what it costs, and who was paid before",
      tag: "Dashboard",
      auth: "session",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      response: z.object({ data: WithdrawalTerms }),
    },
    async ({ account, caller }) => ({ data: await readWithdrawalTerms(account, caller) }),
  ),
});
