import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Events } from "@/components/webhooks/event-list";
import { events } from "@/components/webhooks/queries";
import { listEvents } from "@/lib/webhooks/events";
import { EventQuery } from "@/lib/webhooks/schema";

export const generateMetadata = titled("events", "title");

export default listPage({
  ...events,
  texts: ["events", "deliveries", "webhooks"],
  scope: "webhooks:read",
  filters: EventQuery,
  read: ({ id }, query) => listEvents(id, query),
  shows: Events,
  curl: `curl "$API/events" -H "Authorization: Bearer $TOKEN"`,
});
