import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readLegacyCompany } from "@/lib/legacy/read";
import { LegacyCompany } from "@/lib/legacy/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { summary: "Partner data", tag: "Old API", auth: "legacy", scopes: ["profile:read"], response: LegacyCompany },
    ({ account }) => readLegacyCompany(account.id),
  ),
});
