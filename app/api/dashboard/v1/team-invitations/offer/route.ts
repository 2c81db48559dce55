import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTeamOffer } from "@/lib/team/offer";
import { ByTeamLink, TeamOffer } from "@/lib/team/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "What the link of an invitation to a team offers",
      tag: "Team",
      auth: "none",
      limit: "link-address",
      maxBytes: 2_000,
      body: ByTeamLink,
      response: TeamOffer,
      errors: ["link_expired"],
    },
    ({ body }) => readTeamOffer(body),
  ),
});
