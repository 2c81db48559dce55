// Serves the same build with every request through Next's own pipeline, as any host of Next would.
import { createServer } from "node:http";
import next from "next";

const port = Number(process.env.PORT);
const app = next({ dev: false, dir: process.cwd(), port, hostname: "localhost" });
const handle = app.getRequestHandler();
await app.prepare();
createServer((request, response) => handle(request, response)).listen(port, () => process.send({ kind: "ready" }));
process.once("SIGTERM", () => process.exit());
