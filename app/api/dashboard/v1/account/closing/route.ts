import { closeAccount } from "@/lib/closing/close";
import { readClosing } from "@/lib/closing/read";
import { CloseBody, ClosingAnswer } from "@/lib/closing/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What keeps the account from being closed",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      response: ClosingAnswer,
    },
    ({ account }) => readClosing(account.id),
  ),
  POST: endpoint(
    {
      summary: "Close the live account, by its owner, who types its name",
      tag: "Account",
      auth: "session",
      scopes: ["account:write"],
      stepUp: true,
      evenIfFull: true,
      body: CloseBody,
      response: Message,
      errors: ["account_not_live", "invalid_transition", "account_in_use"],
    },
    ({ account, caller, body, intent }) => closeAccount(account, { ...body, role: caller.role }, intent),
  ),
});
