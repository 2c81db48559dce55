import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readLegacyStatus } from "@/lib/legacy/read";
import { LegacyStatus, LegacyStatusQuery } from "@/lib/legacy/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "Status of a transaction",
      tag: "Old API",
      auth: "legacy",
      scopes: ["transactions:read"],
      query: LegacyStatusQuery,
      response: LegacyStatus,
      errors: ["transaction_not_found"],
    },
    ({ account, query }) => readLegacyStatus(account.id, query.id_transaction),
  ),
});
