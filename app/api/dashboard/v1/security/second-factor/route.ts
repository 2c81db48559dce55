import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { NewSecondFactor } from "@/lib/users/schema";
import { beginSecondFactor, removeSecondFactor } from "@/lib/users/second-factor";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Draw the secret of a second factor, which counts once a code of it was right",
      tag: "Security",
      auth: "person",
      stepUp: true,
      leavesNoEvent: "Nothing counts before a first code.",
      response: NewSecondFactor,
      errors: ["second_factor_exists"],
    },
    ({ caller }) => beginSecondFactor(caller),
  ),
  DELETE: endpoint(
    {
      summary: "Remove the second factor",
      tag: "Security",
      auth: "person",
      stepUp: true,
      response: Message,
      errors: ["second_factor_missing"],
    },
    ({ caller }) => removeSecondFactor(caller),
  ),
});
