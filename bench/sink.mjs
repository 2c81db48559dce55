// A receiver of webhooks in a process of its own: it keeps connections and answers at once. Asked "arrived" it says when each
// event first arrived, in ms since 1970, and how many requests there were; "forget" empties both.
import { createServer } from "node:http";

let [arrived, count, first, last] = [new Map(), 0, 0, 0];
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    last = Date.now();
    if (count === 0) first = last;
    count += 1;
    const id = request.headers["webhook-id"];
    if (!arrived.has(id)) arrived.set(id, last);
    response.writeHead(200).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send({ kind: "ready" }));

process.on("message", (asked) => {
  if (asked === "forget") [arrived, count, first, last] = [new Map(), 0, 0, 0];
  if (asked === "arrived") process.send({ kind: "arrived", arrived: [...arrived], count, first, last });
  if (asked === "count") process.send({ kind: "count", count });
});
