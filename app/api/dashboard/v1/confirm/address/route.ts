import { callerId } from "@/lib/http/authenticate";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { confirmOwnAddress } from "@/lib/users/confirm";
import { ConfirmAddressBody } from "@/lib/users/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Confirm the address of the session's person by the link that was sent to it",
      tag: "Account",
      leavesNoEvent: "It changes no record of an account.",
      acceptsKey: false,
      evenIfFull: true,
      evenIfClosed: true,
      body: ConfirmAddressBody,
      response: Message,
      errors: ["link_expired"],
    },
    ({ caller, body }) => confirmOwnAddress({ userId: callerId(caller), secret: body.secret }),
  ),
});
