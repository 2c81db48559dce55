import { expireDeposit } from "@/lib/deposits/expire";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sandbox: let a Pix code expire now",
      tag: "Sandbox",
      scopes: ["sandbox:write"],
      sandboxOnly: true,
      evenIfFull: true,
      ids: { identifier: "transaction_not_found" },
      response: Message,
      errors: ["invalid_transition"],
    },
    ({ account, params, intent }) => expireDeposit(account, { id: params.identifier ?? "" }, intent),
  ),
});
