import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { StepUpBody } from "@/lib/users/schema";
import { stepUp } from "@/lib/users/step-up";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Prove once more who signed in, by a code of the second factor or by the password",
      tag: "Security",
      auth: "person",
      leavesNoEvent: "It changes no record; what it allows leaves its own.",
      body: StepUpBody,
      response: Message,
    },
    ({ caller, body, ip }) => stepUp({ ...body, ...caller, ip }),
  ),
});
