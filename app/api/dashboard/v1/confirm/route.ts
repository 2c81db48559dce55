import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { confirmLink } from "@/lib/users/confirm";
import { ConfirmBody, Proved } from "@/lib/users/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Confirm the address that a link was sent to, which opens the account of a sign-up",
      tag: "Account",
      auth: "none",
      limit: "link-address",
      maxBytes: 2_000,
      body: ConfirmBody,
      response: Proved,
      errors: ["link_expired", "email_taken"],
    },
    ({ body }) => confirmLink(body),
  ),
});
