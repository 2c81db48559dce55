// The built server as `npm run web` runs it, as `npm start` with the argument "worker", as `npm run worker` with "worker-only".
import { run } from "../dist/server.mjs";

const topologies = { worker: ["web", "worker"], "worker-only": ["worker"] };
const roles = topologies[process.argv[2]] ?? ["web"];
const { stop } = await run({ roles, port: Number(process.env.PORT) });
process.once("SIGTERM", async () => {
  await stop();
  process.exit();
});
process.send({ kind: "ready" });
