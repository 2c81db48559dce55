import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readQueue } from "@/lib/queue/read";
import { Queue, QueueQuery } from "@/lib/queue/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "What waits for a person of the staff: how many of each kind, the longest waiting first",
      tag: "Operator",
      auth: "staff",
      query: QueueQuery,
      response: Queue,
    },
    ({ query }) => readQueue(query),
  ),
});
