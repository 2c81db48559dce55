import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readTimelineForStaff } from "@/lib/timeline/read";
import { Timeline } from "@/lib/timeline/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What happened to an account, a mail or a Pix provider and who did it, newest first",
      tag: "Operator",
      auth: "staff",
      ids: { id: "not_found" },
      response: Timeline,
      errors: ["not_found"],
    },
    ({ params: { subject = "", id = "" } }) => readTimelineForStaff(subject, id),
  ),
});
