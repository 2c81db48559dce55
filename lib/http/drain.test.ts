import { Agent, get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { createHost, drain } from "@/lib/http/host";

type Got = { status: number; connection: string | undefined; body: string };

/** A host whose one route answers when it is let, and a client that keeps its connections alive. */
async function aHost() {
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const quick = { GET: async () => Response.json({ quick: true }) };
  const slow = { GET: () => held.then(() => Response.json({ slow: true })) };
  const host = createHost(
    [
      { path: "/api/quick", module: quick },
      { path: "/api/slow", module: slow },
    ],
    (_, response) => response.end("a page"),
  );
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
  const { port } = host.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => {
    agent.destroy();
    host.closeAllConnections();
    host.close();
  });
  return { host, answer, ask: (path: string, by = agent) => ask(port, path, by) };
}

const ask = (port: number, path: string, agent: Agent) =>
  new Promise<Got>((resolve, reject) => {
    get({ port, path, agent, host: "127.0.0.1" }, async (response: IncomingMessage) => {
      let body = "";
      for await (const chunk of response) body += chunk;
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body });
    }).once("error", reject);
  });

test("a server that stops is unready at once, and closes each connection with an answer before it refuses any", async () => {
  const { host, ask } = await aHost();
  expect(await ask("/readyz")).toMatchObject({ status: 200, connection: "keep-alive" });
  expect(await ask("/api/quick")).toMatchObject({ status: 200, connection: "keep-alive" });

  const PAUSE_MS = 700;
  const stopped = drain(host, 5_000, PAUSE_MS).then(() => performance.now());
  const beganAt = performance.now();
  const unready = await ask("/readyz");
  expect(unready).toMatchObject({ status: 503, connection: "close" });
  expect(JSON.parse(unready.body)).toMatchObject({ status: "draining", checks: { draining: { status: "failed" } } });
  // Who goes on sending is served until the pause is over, on connections that the answer ends.
  let served = 0;
  while (performance.now() < beganAt + PAUSE_MS / 2) {
    expect(await ask("/api/quick")).toMatchObject({ status: 200, connection: "close" });
    expect(await ask("/healthz")).toMatchObject({ status: 200, connection: "close" });
    expect(await ask("/a-page")).toMatchObject({ status: 200, connection: "close" });
    served += 1;
  }
  expect(served).toBeGreaterThan(0);
  expect((await stopped) - beganAt).toBeGreaterThanOrEqual(PAUSE_MS - 5);
  await expect(ask("/healthz", new Agent())).rejects.toMatchObject({ code: "ECONNREFUSED" });
});

test("an answer that was under way when the stop began ends its connection too", async () => {
  const { host, answer, ask } = await aHost();
  const slow = ask("/api/slow");
  await vi.waitFor(async () => expect(await connectionsOf(host)).toBe(1));
  const stopped = drain(host, 5_000, 100);
  answer();
  expect(await slow).toMatchObject({ status: 200, connection: "close", body: '{"slow":true}' });
  await stopped;
});

test("without a pause a server with nothing to do stops at once, and the longest stop includes the pause", async () => {
  const one = await aHost();
  await one.ask("/api/quick");
  await drain(one.host, 5_000);

  const other = await aHost();
  const cut = other.ask("/api/slow").catch((error: Error) => error);
  await vi.waitFor(async () => expect(await connectionsOf(other.host)).toBe(1));
  const beganAt = performance.now();
  await drain(other.host, 300, 200);
  expect(performance.now() - beganAt).toBeLessThan(3_000);
  expect(await cut).toBeInstanceOf(Error);
  await sleep(0);
});

const connectionsOf = (host: Awaited<ReturnType<typeof aHost>>["host"]) =>
  new Promise<number>((resolve) => host.getConnections((_, count) => resolve(count)));
