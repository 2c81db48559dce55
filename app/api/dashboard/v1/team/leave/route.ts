import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { leaveTeam } from "@/lib/team/leave";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Leave the team of the account",
      tag: "Team",
      auth: "session",
      stepUp: true,
      acceptsKey: false,
      evenIfFull: true,
      response: Message,
      errors: ["last_owner"],
    },
    ({ caller }) => leaveTeam(caller),
  ),
});
