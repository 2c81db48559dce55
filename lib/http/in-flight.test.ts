import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { env } from "@/lib/env";
import { csvOf } from "@/lib/http/csv";
import { createHost, drain } from "@/lib/http/host";
import { methods } from "@/lib/http/methods";
import { csvLines } from "@/lib/lists/csv";

const MB = 1_000_000;
/** More than an operating system takes for a socket that nobody reads: the rest waits in the process. */
const LARGE = Buffer.alloc(24 * MB, "x");
const WIDE = { process: 1_000 * MB, address: 1_000 * MB, socket: 1_000 * MB, untakenMs: 30_000 };

type Serve = (request: IncomingMessage, response: ServerResponse) => unknown;

/** A host whose pages answer `/large…` with much and all else with their path, at once and in one piece. */
async function open(bounds: Partial<typeof WIDE> = {}, serve: Serve = answer, routes = [] as never[]) {
  const begun: string[] = [];
  const sockets = new Map<number | undefined, Socket>();
  const host = createHost(
    routes,
    (request, response) => {
      begun.push(request.url ?? "");
      serve(request, response);
    },
    { bounds: { ...WIDE, ...bounds } },
  );
  host.on("connection", (socket) => sockets.set(socket.remotePort, socket));
  await new Promise<void>((listening) => host.listen(0, "127.0.0.1", listening));
  onTestFinished(() => close(host));
  /** What the process holds for its clients, as Node counts it. */
  const held = () => sum([...sockets.values()].map((socket) => (socket.destroyed ? 0 : socket.writableLength)));
  /** Changes when the operating system takes something. */
  const queued = () => sum([...sockets.values()].map((socket) => (socket as Handled)._handle?.writeQueueSize ?? 0));
  return { host, begun, held, queued, client: () => openClient(host, sockets) };
}

type Handled = Socket & { _handle?: { writeQueueSize: number } };

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0);

const answer: Serve = ({ url = "" }, response) => response.end(url.startsWith("/large") ? LARGE : url);

const close = (host: Server): Promise<void> =>
  new Promise((closed) => {
    host.close(() => closed());
    host.closeAllConnections();
  });

/** A client that reads nothing until it is asked to. */
async function openClient(host: Server, sockets: Map<number | undefined, Socket>) {
  const socket = connect((host.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {}).pause();
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  let bytes = 0;
  let last = "";
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    last = (last + chunk.toString("latin1")).slice(-2_000);
  };
  return {
    /** Resolves when the host has closed the connection. One that reads nothing does not see it. */
    cut: () => until(() => sockets.get(socket.localPort)?.destroyed === true),
    ask: (paths: string[], headers = "", body?: string) => {
      const [method, ends] = body === undefined ? ["GET", ""] : ["POST", `content-length: ${body.length}\r\n`];
      const head = (path: string) => `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}${ends}\r\n`;
      socket.write(paths.map((path) => head(path) + (body ?? "")).join(""));
    },
    /** Reads on until `isEnough`. Fails when the connection is closed before. */
    read: async (isEnough: (read: { bytes: number; last: string }) => boolean) => {
      while (!isEnough({ bytes, last })) {
        const chunk = socket.read() as Buffer | null;
        if (chunk) take(chunk);
        else if (socket.destroyed || socket.readableEnded) throw new Error(`closed after ${bytes} bytes`);
        else await changed(socket);
      }
      return bytes;
    },
  };
}

const changed = (socket: Socket) =>
  new Promise<void>((resolve) => {
    const go = () => {
      socket.off("readable", go).off("close", go);
      resolve();
    };
    socket.on("readable", go).on("close", go);
  });

/** Waits for what other tasks of the event loop bring about. */
async function until(isSo: () => boolean) {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 1));
}

const from = (address: string) => `x-forwarded-for: ${address}\r\n`;

/** As behind one proxy that says who the client is. */
function behindProxy() {
  const { TRUSTED_PROXIES } = env;
  Object.assign(env, { TRUSTED_PROXIES: 1 });
  onTestFinished(() => void Object.assign(env, { TRUSTED_PROXIES }));
}

describe("requests on one socket", () => {
  test("the second is begun when the first's answer has been taken, and both are answered in order", async () => {
    const { begun, held, client } = await open();
    const [slow, other] = [await client(), await client()];
    slow.ask(["/large", "/b", "/c"]);
    await until(() => held() > 0);
    other.ask(["/other"]);
    await other.read(({ last }) => last.endsWith("/other"));
    expect(begun).toEqual(["/large", "/other"]);
    expect(await slow.read(({ last }) => last.endsWith("/c"))).toBeGreaterThan(LARGE.length);
    expect(begun).toEqual(["/large", "/other", "/b", "/c"]);
  });

  test("hundreds at once are all answered, with those that have a body", async () => {
    const echo: Serve = async (request, response) => {
      const body = await request.toArray();
      response.end(`${request.url} ${body.join("").length}`);
    };
    const { begun, client } = await open({}, echo);
    const many = await client();
    const paths = Array.from({ length: 300 }, (_, n) => `/${n}`);
    const body = "x".repeat(1_000);
    many.ask(paths);
    many.ask(paths, "", body);
    many.ask(["/end"]);
    await many.read(({ last }) => last.endsWith("/end 0"));
    expect(begun).toEqual([...paths, ...paths, "/end"]);
  });

  test("more of them than a socket may hold end it, and none of these is begun", async () => {
    const { begun, client } = await open({ socket: 400_000 }, () => {});
    const greedy = await client();
    greedy.ask(Array.from({ length: 1_000 }, () => "/"));
    await greedy.cut();
    expect(begun).toEqual(["/"]);
  });

  test("an unknown Expect is answered in its turn too", async () => {
    const { begun, held, client } = await open();
    const slow = await client();
    slow.ask(["/large"]);
    slow.ask(["/b"], "expect: tea\r\n");
    await until(() => held() > 0);
    await slow.read(({ last }) => last.includes(" 417 "));
    expect(begun).toEqual(["/large"]);
  });
});

describe("of what is not taken, a process holds", () => {
  test("no more for an address than its bound; the longest untaken is cut, another address gets all", async () => {
    behindProxy();
    const bound = 1.5 * LARGE.length;
    const { begun, held, client } = await open({ address: bound });
    const [other, first] = [await client(), await client()];
    other.ask(["/large-of-other"], from("203.0.113.1"));
    first.ask(["/large"], from("2001:db8::1"));
    await until(() => begun.length === 2);
    for (let n = 2; n < 7; n += 1) {
      const next = await client();
      next.ask(["/large"], from(`2001:db8::${n}`)); // one /64
      await until(() => begun.length === n + 1);
      expect(held()).toBeLessThanOrEqual(bound + LARGE.length + MB);
    }
    await first.cut();
    expect(await other.read(({ bytes }) => bytes > LARGE.length)).toBeGreaterThan(LARGE.length);
  });

  test("no more in all than its bound; who holds most is cut, and who holds little gets all", async () => {
    behindProxy();
    const bound = 3.5 * LARGE.length;
    const { begun, held, client } = await open({ process: bound });
    const [little, first] = [await client(), await client()];
    little.ask(["/large"], from("203.0.113.1"));
    await until(() => begun.length === 1);
    first.ask(["/large"], from("203.0.113.2"));
    for (let n = 2; n < 7; n += 1) {
      const next = await client();
      next.ask(["/large"], from("203.0.113.2"));
      await until(() => begun.length === n + 1);
      expect(held()).toBeLessThanOrEqual(bound);
    }
    await first.cut();
    expect(await little.read(({ bytes }) => bytes > LARGE.length)).toBeGreaterThan(LARGE.length);
  });

  test("no answer that is larger than a socket's bound", async () => {
    const { client } = await open({ socket: MB });
    const slow = await client();
    slow.ask(["/large"]);
    await slow.cut();
  });
});

describe("an answer of which nothing is taken", () => {
  const clock = () => vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
  afterEach(() => void vi.useRealTimers());

  test("is cut after 30 s", async () => {
    clock();
    const { held, client } = await open();
    const slow = await client();
    slow.ask(["/large"]);
    await until(() => held() > 0);
    vi.advanceTimersByTime(29_000);
    expect(held()).toBeGreaterThan(0);
    vi.advanceTimersByTime(2_000);
    await slow.cut();
    expect(held()).toBe(0);
  });

  test("is not one that is taken slowly, in one piece or in many, nor one that is still being made", async () => {
    clock();
    const inPieces: Serve = ({ url }, response) => {
      if (url === "/late") return setTimeout(() => response.end(url), 100);
      if (url === "/one") return response.end(LARGE);
      for (let at = 0; at < LARGE.length; at += 65_536) response.write(LARGE.subarray(at, at + 65_536));
      response.end();
    };
    const { queued, held, client } = await open({}, inPieces);
    const [late, one, many] = [await client(), await client(), await client()];
    late.ask(["/late", "/late"]);
    one.ask(["/one"]);
    many.ask(["/many"]);
    await until(() => held() > LARGE.length);
    for (let read = 3 * MB; read <= LARGE.length; read += 3 * MB) {
      const before = queued();
      for (const slow of [one, many]) await slow.read(({ bytes }) => bytes >= read);
      if (before > 0) await until(() => queued() !== before);
      vi.advanceTimersByTime(9_000);
    }
    await late.read(({ last }) => last.split("/late").length === 3);
  });

  test("gives back an account's place for a file", async () => {
    clock();
    const accountId = "0197c2f6-0000-7000-8000-000000000000";
    async function* batches() {
      for (let n = 0; n < 400; n += 1) yield [["x".repeat(100_000)]];
    }
    const GET = async () => {
      const lines = csvLines("raw", ["x"], batches())((record) => record);
      const { stream, headers } = await csvOf("x.csv", lines, { accountId, requestId: "x" });
      return new Response(stream, { headers });
    };
    const { held, client } = await open({}, answer, [{ path: "/api/file", module: methods({ GET }) }] as never[]);
    const [one, two] = [await client(), await client()];
    one.ask(["/api/file"]);
    two.ask(["/api/file"]);
    await until(() => held() > 100_000);
    const third = await client();
    third.ask(["/api/file"]);
    await third.read(({ last }) => last.includes(" 429 "));
    vi.advanceTimersByTime(40_000);
    await Promise.all([one.cut(), two.cut()]);
    const fourth = await client();
    fourth.ask(["/api/file"]);
    await fourth.read(({ bytes, last }) => bytes > 40 * MB && last.endsWith("0\r\n\r\n"));
  });
});

test("a stop ends in time, whatever is not taken and waits behind it", async () => {
  const { host, held, client } = await open();
  const slow = await client();
  slow.ask(["/large", "/b"]);
  await until(() => held() > 0);
  await drain(host, 100);
  await slow.cut();
});
