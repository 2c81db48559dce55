import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { PageQuery, pageOf } from "@/lib/lists/pagination";
import { addDomain, listDomains } from "@/lib/public-keys/domains";
import { Domain, DomainAnswer, DomainBody } from "@/lib/public-keys/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the domains whose pages may tokenize cards, newest first",
      tag: "Cards",
      scopes: ["cards:read"],
      query: PageQuery,
      response: pageOf(Domain),
    },
    ({ account, query }) => listDomains(account.id, query),
  ),
  POST: endpoint(
    {
      summary: "Let a domain's pages tokenize cards",
      tag: "Cards",
      scopes: ["cards:write"],
      stepUp: true,
      body: DomainBody,
      status: 201,
      response: DomainAnswer,
      errors: ["domain_limit_reached"],
    },
    ({ account, body, intent }) => addDomain(account, body, intent),
  ),
});
