import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTeam } from "@/lib/team/read";
import { Team } from "@/lib/team/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The people of the account, and who is invited",
      tag: "Team",
      auth: "session",
      scopes: ["team:read"],
      response: Team,
    },
    ({ caller }) => readTeam(caller),
  ),
});
