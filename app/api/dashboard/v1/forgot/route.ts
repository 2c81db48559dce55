import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { forgotPassword } from "@/lib/users/forgot-password";
import { ForgotBody } from "@/lib/users/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Ask for a link to a new password: the answer is the same whether the e-mail is known or not",
      tag: "Account",
      auth: "none",
      limit: "forgot-address",
      maxBytes: 2_000,
      body: ForgotBody,
      status: 202,
      response: Message,
    },
    ({ body, ip }) => forgotPassword({ ...body, ip }),
  ),
});
