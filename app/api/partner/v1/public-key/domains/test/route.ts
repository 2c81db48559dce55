import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { testDomain } from "@/lib/public-keys/domains";
import { DomainTest, DomainTestBody } from "@/lib/public-keys/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Whether an origin's pages would be let in, and if not, why",
      tag: "Cards",
      leavesNoEvent: "It changes nothing.",
      scopes: ["cards:read"],
      acceptsKey: false,
      evenIfFull: true,
      body: DomainTestBody,
      response: DomainTest,
    },
    ({ account, body }) => testDomain(account, body),
  ),
});
