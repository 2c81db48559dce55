import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { requestWithdrawal, withdrawalErrors } from "@/lib/withdrawals/request";
import { SANDBOX_TEXT } from "@/lib/withdrawals/sandbox-text";
import { CashOut, CashOutBody } from "@/lib/withdrawals/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for a withdrawal to a Pix key",
      description: SANDBOX_TEXT,
      tag: "Pix",
      scopes: ["withdrawals:write"],
      feature: "cash_out",
      stepUp: true,
      body: CashOutBody,
      response: CashOut,
      errors: withdrawalErrors,
    },
    ({ account, caller, body, intent }) => requestWithdrawal(account, { ...body, by: caller }, intent),
  ),
});
