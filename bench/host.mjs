// The built server as `npm run web` runs it, as `npm start` with the argument "worker", as `npm run worker` with "worker-only".
const part = process.argv[2];
const { run } = await import(part === "worker-only" ? "../dist/worker.mjs" : "../dist/server.mjs");
const { stop } = await run({ port: Number(process.env.PORT), worker: part === "worker" });
process.once("SIGTERM", async () => {
  await stop();
  process.exit();
});
process.send({ kind: "ready" });
