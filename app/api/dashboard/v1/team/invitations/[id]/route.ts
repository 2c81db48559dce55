import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { cancelTeamInvitation } from "@/lib/team/cancel";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "Cancel an invitation, whose link then no longer opens",
      tag: "Team",
      auth: "session",
      scopes: ["team:write"],
      ids: { id: "invitation_not_found" },
      response: Message,
      errors: ["invitation_not_found"],
    },
    ({ caller, params }) => cancelTeamInvitation({ by: caller, id: params.id ?? "" }),
  ),
});
