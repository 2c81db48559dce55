import { SignUpBody } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { signUp } from "@/lib/users/sign-up";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sign up as a seller",
      tag: "Account",
      auth: "none",
      limit: "sign-up-address",
      maxBytes: 8_000,
      body: SignUpBody,
      status: 201,
      response: Message,
      errors: ["email_taken"],
    },
    ({ body }) => signUp(body),
  ),
});
