import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { listEvents } from "@/lib/webhooks/events";
import { EventPage, EventQuery } from "@/lib/webhooks/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List the events that webhooks may be told of, newest first",
      tag: "Events",
      scopes: ["webhooks:read"],
      query: EventQuery,
      response: EventPage,
    },
    ({ account, query }) => listEvents(account.id, query),
  ),
});
