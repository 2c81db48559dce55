import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { resetPassword } from "@/lib/users/reset-password";
import { PasswordReset, ResetBody } from "@/lib/users/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Set a new password by the link of a mail, which ends every session of its person",
      tag: "Account",
      auth: "none",
      limit: "link-address",
      maxBytes: 2_000,
      body: ResetBody,
      response: PasswordReset,
      errors: ["link_expired"],
    },
    ({ body }) => resetPassword(body),
  ),
});
