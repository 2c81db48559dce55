import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { JoinBody, Joined } from "@/lib/team/schema";
import { signUpToTeam } from "@/lib/team/sign-up";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Sign up as the person whom a link invites to a team, and join it",
      tag: "Team",
      auth: "none",
      limit: "sign-up-address",
      maxBytes: 8_000,
      body: JoinBody,
      status: 201,
      response: Joined,
      errors: ["link_expired", "email_taken"],
    },
    ({ body }) => signUpToTeam(body),
  ),
});
