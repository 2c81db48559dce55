import { callerId } from "@/lib/http/authenticate";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { askConfirmation } from "@/lib/users/ask-confirmation";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Send the session's person a mail whose link confirms their address",
      tag: "Account",
      leavesNoEvent: "It changes no record of an account.",
      acceptsKey: false,
      evenIfFull: true,
      evenIfClosed: true,
      status: 202,
      response: Message,
    },
    ({ caller, ip }) => askConfirmation({ userId: callerId(caller), ip }),
  ),
});
