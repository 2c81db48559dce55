import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readEvent } from "@/lib/webhooks/events";
import { EventAnswer } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "An event with its deliveries",
      tag: "Events",
      scopes: ["webhooks:read"],
      ids: { event_id: "event_not_found" },
      response: EventAnswer,
    },
    ({ account, params }) => readEvent(account.id, params.event_id ?? ""),
  ),
});
