import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { deactivateTracking } from "@/lib/tracking/save";
import { Tracking } from "@/lib/tracking/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      summary: "Deactivate the tracking integration; its token is deleted",
      tag: "Tracking",
      scopes: ["webhooks:write"],
      response: Tracking,
    },
    ({ account, intent }) => deactivateTracking(account, intent),
  ),
});
