import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listWithdrawals } from "@/lib/withdrawals/read";
import { WithdrawalPage, WithdrawalQuery } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List withdrawals, newest first",
      tag: "Pix",
      scopes: ["withdrawals:read"],
      feature: "cash_out",
      query: WithdrawalQuery,
      response: WithdrawalPage,
    },
    ({ account, query }) => listWithdrawals(account.id, query),
  ),
});
