import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { endSession } from "@/lib/users/sessions";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "End a session of the person",
      tag: "Security",
      auth: "person",
      ids: { id: "session_not_found" },
      response: Message,
      errors: ["session_not_found"],
    },
    ({ caller, params }) => endSession({ userId: caller.userId, id: params.id ?? "" }),
  ),
});
