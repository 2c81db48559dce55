import { listPublications } from "@/lib/audit-log/heads";
import { PublicationPage } from "@/lib/audit-log/schema";
import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "The latest publications of all chains of events, with the root that the staff was mailed",
      tag: "Operator",
      auth: "staff",
      response: PublicationPage,
    },
    () => listPublications(),
  ),
});
