import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { cancelSplit } from "@/lib/subscription-splits/cancel";
import { RemovedSplit } from "@/lib/subscription-splits/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  DELETE: endpoint(
    {
      summary: "Cancel a split that the account has offered; sales from then on are not shared by it",
      tag: "Splits",
      scopes: ["splits:write"],
      response: RemovedSplit,
      errors: ["split_not_found", "invalid_transition"],
    },
    ({ account, params }) => cancelSplit(account, { id: params.id ?? "" }),
  ),
});
