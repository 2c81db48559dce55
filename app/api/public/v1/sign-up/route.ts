import { SignUpAnswer, SignUpBody } from "@/lib/accounts/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { isProvedByLink } from "@/lib/subscription-splits/prove-email";
import { signUp } from "@/lib/users/sign-up";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary:
        "Sign up as a seller: the answer is the same whether the e-mail is known or not, and a mail has the rest",
      tag: "Account",
      auth: "none",
      limit: "sign-up-address",
      maxBytes: 8_000,
      body: SignUpBody,
      status: 201,
      response: SignUpAnswer,
      errors: ["email_taken"],
    },
    async ({ body, ip }) => {
      const { invite, email } = body;
      return signUp({ ...body, ip, isInvited: invite !== undefined && (await isProvedByLink(invite, email)) });
    },
  ),
});
