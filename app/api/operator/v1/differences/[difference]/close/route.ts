import { closeDifference } from "@/lib/differences/close";
import { CloseBody } from "@/lib/differences/schema";
import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Close a difference with a PSP that is explained, with a reason; money does not move by it",
      tag: "Operator",
      auth: "staff",
      staffScope: "money:write",
      stepUp: true,
      ids: { difference: "difference_not_found" },
      body: CloseBody,
      response: Message,
      errors: ["difference_not_found", "difference_changed", "invalid_transition"],
    },
    ({ params, body }) => closeDifference({ ...body, id: params.difference ?? "" }),
  ),
});
