import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

/** What a network does to one request that changes something: which of both ways fails, and how. */
export type NetworkFault =
  | "its request is reset"
  | "its request is refused by a server in between"
  | "its request arrives late"
  | "its answer is reset"
  | "its answer becomes a 502"
  | "its answer is late";

/** The faults after which nothing was done. */
export const UNDONE: readonly NetworkFault[] = [
  "its request is reset",
  "its request is refused by a server in between",
];

/** A proxy to the HTTP server at `url`, which breaks the next POST or PUT by the fault that a test sets. */
export async function serveHttpProxy(url: string, lateMs: number) {
  const place: { fault?: NetworkFault | undefined } = {};
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "GET", headers } = request;
    const fault = method === "GET" ? undefined : place.fault;
    if (fault) place.fault = undefined;
    if (fault === "its request is reset") return request.socket.resetAndDestroy();
    if (fault === "its request is refused by a server in between") return response.writeHead(503).end("<html>");
    if (fault === "its request arrives late") await pause(lateMs);
    const { host: _, connection: __, "content-length": ___, "transfer-encoding": ____, ...sent } = headers;
    const body = chunks.length > 0 ? Buffer.concat(chunks) : null;
    const answer = await fetch(`${url}${request.url}`, { method, headers: sent as Record<string, string>, body });
    const text = await answer.text();
    if (fault === "its answer is reset") return request.socket.resetAndDestroy();
    if (fault === "its answer becomes a 502") return response.writeHead(502).end("<html>");
    if (fault === "its answer is late") await pause(lateMs);
    return response.writeHead(answer.status, { "content-type": "application/json" }).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  async function close() {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  }
  return Object.assign(place, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close });
}
