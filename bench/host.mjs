// The built server as `npm run web` (or `npm start`, with the argument "worker") runs it.
import { run } from "../dist/server.mjs";

const roles = process.argv.includes("worker") ? ["web", "worker"] : ["web"];
const { stop } = await run({ roles, port: Number(process.env.PORT) });
process.once("SIGTERM", async () => {
  await stop();
  process.exit();
});
process.send({ kind: "ready" });
