import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { endOtherSessions } from "@/lib/users/sessions";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    { summary: "End all sessions of the person but this one", tag: "Security", auth: "person", response: Message },
    ({ caller }) => endOtherSessions(caller),
  ),
});
