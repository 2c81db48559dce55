import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { changePassword } from "@/lib/users/change-password";
import { NewPasswordBody } from "@/lib/users/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Change the password; every other session ends",
      tag: "Security",
      auth: "person",
      stepUp: true,
      body: NewPasswordBody,
      response: Message,
    },
    ({ caller, body }) => changePassword({ ...caller, ...body }),
  ),
});
