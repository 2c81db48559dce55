import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { joinTeam } from "@/lib/team/accept";
import { ByTeamLink, Joined } from "@/lib/team/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Join the team that a link invites the session's person to",
      tag: "Team",
      auth: "person",
      body: ByTeamLink,
      response: Joined,
      errors: ["link_expired", "already_in_team"],
    },
    ({ caller, body }) => joinTeam({ ...body, userId: caller.userId }),
  ),
});
