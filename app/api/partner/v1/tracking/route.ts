import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTracking } from "@/lib/tracking/read";
import { saveToken } from "@/lib/tracking/save";
import { Tracking, TrackingToken } from "@/lib/tracking/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The tracking integration, and what was sent last",
      tag: "Tracking",
      scopes: ["webhooks:read"],
      response: Tracking,
    },
    ({ account }) => readTracking(account.id),
  ),
  POST: endpoint(
    {
      summary: "Save the token of the external tracking service; it is never shown again",
      tag: "Tracking",
      scopes: ["webhooks:write"],
      body: TrackingToken,
      response: Tracking,
      errors: ["tracking_not_configured"],
    },
    ({ account, body, intent }) => saveToken(account, body, intent),
  ),
});
