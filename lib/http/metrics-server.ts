import { AsyncResource } from "node:async_hooks";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { remember } from "@/lib/concurrency/remember";
import { env } from "@/lib/env";
import { answerHealth, type Health } from "@/lib/http/health";
import { log } from "@/lib/log";
import { CONTENT_TYPE, type Figures, readFigures, textOf } from "@/lib/monitoring/metrics";

/** Several scrapers at once share one reading. */
const REMEMBER_MS = 1_000;

/**
 * Serves `/metrics`, and the process's health, on METRICS_PORT until the returned function is called; nothing where it is
 * unset. `further` reads the figures of another thread of this process, and resolves to none where it does not answer.
 */
export async function serveMetrics(health: Health, further?: () => Promise<Figures | undefined>) {
  const { METRICS_PORT: port, METRICS_BIND: host } = env;
  if (port === undefined) return async () => {};

  const read = remember(REMEMBER_MS, async () => {
    const figures = await Promise.all([readFigures(), further?.()]);
    return textOf(figures.filter((one) => one !== undefined));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url?.split("?", 1)[0] ?? "";
    if (answerHealth(path, request, response, health)) return;
    if (path !== "/metrics") return void response.writeHead(404).end();
    const text = await read();
    response.writeHead(200, { "content-type": CONTENT_TYPE }).end(text);
  }

  const serve = (request: IncomingMessage, response: ServerResponse) =>
    answer(request, response).catch((error) => {
      log.error({ error }, "metrics were not read");
      response.writeHead(500).end();
    });
  // Bound, so that what is read uses the connections of whoever began to serve.
  const server = createServer({ requestTimeout: 10_000 }, AsyncResource.bind(serve));
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen({ port, host }, resolve));
  return async () => {
    server.close();
    server.closeAllConnections();
  };
}
