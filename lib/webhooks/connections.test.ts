import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer as createPlainServer, type RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { send } from "@/lib/webhooks/send";

const TLS = "lib/testing/tls";
/** Only this loopback address stands for a public one. */
const [PUBLIC, PRIVATE] = ["127.0.0.2", "127.0.0.3"];
const before = { WEBHOOK_ALLOWED_CIDRS: env.WEBHOOK_ALLOWED_CIDRS };
beforeAll(() => {
  Object.assign(env, { WEBHOOK_ALLOWED_CIDRS: `${PUBLIC}/32` });
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0"); // the receivers' certificate is of a test's authority
});
afterAll(() => {
  Object.assign(env, before);
  vi.unstubAllEnvs();
});

const closing: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const close of closing.splice(0)) close();
});

/** A receiver at an address, and how many connections and requests it got. */
async function receiverAt(address: string, answer: RequestListener, { port = 0, isPlain = false } = {}) {
  const got = { connections: 0, requests: 0 };
  const listener: RequestListener = (request, response) => {
    got.requests += 1;
    request.resume().on("end", () => answer(request, response));
  };
  const keys = { key: readFileSync(`${TLS}/server.key`), cert: readFileSync(`${TLS}/server.pem`) };
  const server = isPlain ? createPlainServer(listener) : createServer(keys, listener);
  server.on(isPlain ? "connection" : "secureConnection", () => {
    got.connections += 1;
  });
  server.listen(port, address);
  await once(server, "listening");
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { got, server, port: (server.address() as AddressInfo).port };
}

const ok: RequestListener = (_, response) => void response.writeHead(200).end("ok");

/** A name server that answers every name with one address, which changes as a test says. */
async function nameServer(address: string) {
  const state = { address, asked: 0 };
  const socket = createSocket("udp4");
  socket.on("message", (query, { port }) => {
    state.asked += 1;
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
    const question = query.subarray(12, query.indexOf(0, 12) + 5);
    const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...state.address.split(".").map(Number)]);
    socket.send(Buffer.concat([header, question, answer]), port, "127.0.0.1");
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  closing.push(() => socket.close());
  const resolver = new Resolver();
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return { state, resolve: (name: string) => resolver.resolve4(name) };
}

const message = (url: string, accountId: string, mode: "live" | "sandbox" = "live") => ({
  ...{ accountId, url, mode, headers: { "content-type": "application/json" }, body: "{}", timeoutMs: 5_000 },
  at: new Date(),
});

test("a name that is rebound to a private address gains nothing: a kept connection stays where it was checked, and a new one is refused", async () => {
  const trusted = await receiverAt(PUBLIC, ok);
  const trap = await receiverAt(PRIVATE, ok, { port: trusted.port });
  const { state, resolve } = await nameServer(PUBLIC);
  const one = message(`https://shop.example:${trusted.port}/hook`, newId());
  expect(await send(one, resolve)).toMatchObject({ status: 200 });
  state.address = PRIVATE;
  expect(await send(one, resolve)).toMatchObject({ status: 200, error: null });
  expect(trusted.got, "over the connection that was checked").toEqual({ connections: 1, requests: 2 });
  expect(state.asked).toBe(1);

  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 31_000);
  expect(await send(one, resolve), "a connection has an age").toMatchObject({ error: "address_not_allowed" });

  state.address = PUBLIC;
  expect(await send(one, resolve)).toMatchObject({ status: 200 });
  state.address = PRIVATE;
  trusted.server.closeAllConnections();
  await vi.waitFor(async () => {
    expect(await send(one, resolve)).toMatchObject({ error: "address_not_allowed" });
  });
  expect(trap.got).toEqual({ connections: 0, requests: 0 });
});

test("attempts of one account at one origin share a connection, one at a time; no two accounts do", async () => {
  const { got, port } = await receiverAt("127.0.0.1", ok, { isPlain: true });
  const url = `http://127.0.0.1:${port}`;
  const [one, other] = [newId(), newId()];
  for (const path of ["/a", "/b", "/c"]) await send(message(url + path, one, "sandbox"));
  expect(got).toEqual({ connections: 1, requests: 3 });
  await send(message(url, other, "sandbox"));
  expect(got.connections).toBe(2);
  await Promise.all([1, 2, 3].map(() => send(message(url, one, "sandbox"))));
  expect(got, "each that is under way has its own").toEqual({ connections: 4, requests: 7 });
});

test("an answer that is not read to its end closes its connection", async () => {
  const long: RequestListener = (_, response) => void response.writeHead(200).end("a".repeat(100_000));
  const { got, port } = await receiverAt("127.0.0.1", long, { isPlain: true });
  const one = message(`http://127.0.0.1:${port}`, newId(), "sandbox");
  for (let n = 0; n < 2; n += 1) expect(await send(one)).toMatchObject({ status: 200, error: null });
  expect(got).toEqual({ connections: 2, requests: 2 });
});

test("a kept connection that the receiver closes as it is used is no failure: the request goes over a new one", async () => {
  const sockets = new Set<Socket>();
  const { got, server, port } = await receiverAt(
    "127.0.0.1",
    (request, response) => {
      if (sockets.has(request.socket)) return void request.socket.destroy();
      sockets.add(request.socket);
      response.writeHead(200).end("ok");
    },
    { isPlain: true },
  );
  const one = message(`http://127.0.0.1:${port}`, newId(), "sandbox");
  for (let n = 0; n < 3; n += 1) expect(await send(one)).toMatchObject({ status: 200, error: null });
  expect(got, "each request but the first met a connection that was closed").toEqual({ connections: 3, requests: 5 });
  server.removeAllListeners("request");
  server.on("request", (request) => request.socket.destroy());
  expect(await send(one), "but a new one that is closed is").toMatchObject({ error: "connection_failed" });
});
