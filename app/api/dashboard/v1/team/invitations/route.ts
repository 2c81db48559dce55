import { endpoint } from "@/lib/http/endpoint";
import { Message } from "@/lib/http/message";
import { methods } from "@/lib/http/methods";
import { inviteToTeam } from "@/lib/team/invite";
import { TeamInviteBody } from "@/lib/team/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Invite somebody to the account's team by mail",
      tag: "Team",
      auth: "session",
      scopes: ["team:write"],
      stepUp: true,
      body: TeamInviteBody,
      status: 201,
      response: Message,
      errors: ["already_in_team", "team_limit_reached"],
    },
    ({ account, caller, body, intent }) => inviteToTeam(account, { ...body, by: caller }, intent),
  ),
});
