import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readLegacyBalance } from "@/lib/legacy/read";
import { LegacyBalance } from "@/lib/legacy/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Balance",
      tag: "Old API",
      auth: "legacy",
      scopes: ["balance:read", "transactions:read"],
      response: LegacyBalance,
    },
    ({ account }) => readLegacyBalance(account.id),
  ),
});
