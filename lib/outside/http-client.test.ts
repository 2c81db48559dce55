import { readFileSync } from "node:fs";
import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { createServer as createHttpServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, connect as connectTo, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { newAlphanumeric } from "@/lib/ids";
import { httpClient, type Settings, UNREACHED } from "@/lib/outside/http-client";
import { tokenFor, tokenNameOf } from "@/lib/outside/token";
import { noteDatabaseTime, realNow } from "@/lib/time/clock";

const TLS = "lib/testing/tls";
const pem = (name: string) => readFileSync(`${TLS}/${name}`);

/** What a test opened, to be closed after it. */
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

async function listen(server: Server, scheme: "http" | "https"): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  opened.push(() => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  });
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = (answer: RequestListener) => listen(createHttpServer(answer), "http");

/** A server that speaks only with clients whose certificate the test's authority has signed. */
const serveTls = (answer: RequestListener) =>
  listen(
    createTlsServer(
      {
        ...{ cert: pem("server.pem"), key: pem("server.key"), ca: pem("authority.pem") },
        ...{ requestCert: true, rejectUnauthorized: true },
      },
      answer,
    ),
    "https",
  );

const json = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

const within = (ms = 5_000) => ({ signal: AbortSignal.timeout(ms), kind: "GET /x", method: "GET" as const });
const clientOf = (settings: Omit<Settings, "provider"> & { provider?: string }) =>
  httpClient(() => ({ provider: "test", ...settings }));

describe("a request", () => {
  test("has the settings of the moment, and is sent once", async () => {
    const seen: unknown[] = [];
    const baseUrl = await serve(async (request, response) => {
      const { method, url, headers } = request;
      seen.push([method, url, headers["x-credential"], headers["content-type"], await textOf(request)]);
      json(response, url === "/moved" ? 307 : 200, { answered: url });
    });
    let credential = "first";
    const ask = httpClient(() => ({ provider: "test", baseUrl, headers: { "x-credential": credential } }));
    expect(await ask("/a", within())).toEqual({ status: 200, json: { answered: "/a" } });
    credential = "second";
    expect(await ask("/moved", { ...within(), method: "POST", body: "{}" })).toMatchObject({ status: 307 });
    expect(seen).toEqual([
      ["GET", "/a", "first", "application/json", ""],
      ["POST", "/moved", "second", "application/json", "{}"],
    ]);
  });

  test("that no server takes was not sent, and one whose answer is lost, late, too large or no JSON is unknown", async () => {
    const baseUrl = await serve((request, response) => {
      if (request.url === "/late") return;
      if (request.url === "/lost") return void request.socket.destroy();
      response.writeHead(200).end(request.url === "/large" ? `"${"x".repeat(4_100_000)}"` : "<html>");
    });
    const ask = clientOf({ baseUrl });
    await expect(ask("/late", within(150))).rejects.toThrow("no answer");
    for (const path of ["/lost", "/large", "/html"]) await expect(ask(path, within())).rejects.toThrow("no answer");
    const nobody = clientOf({ baseUrl: "http://127.0.0.1:1" });
    expect(await nobody("/x", within())).toMatchObject({ status: UNREACHED, json: undefined });
  });

  test("goes by the proxy where there is one", async () => {
    const baseUrl = await serve((_, response) => json(response, 200, { by: "the server" }));
    const asked: (string | undefined)[] = [];
    const proxy = createHttpServer();
    proxy.on("connect", ({ url }, socket: Socket) => {
      asked.push(url);
      const to = connectTo(Number(url?.split(":")[1]), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        to.pipe(socket).pipe(to);
      });
      opened.push(() => [to, socket].map((one) => one.destroy()));
      to.on("error", () => {});
      socket.on("error", () => {});
    });
    const ask = clientOf({ baseUrl, proxy: await listen(proxy, "http") });
    expect(await ask("/x", within())).toEqual({ status: 200, json: { by: "the server" } });
    expect(asked).toEqual([new URL(baseUrl).host]);
  });
});

describe("mutual TLS", () => {
  let baseUrl: string;
  const text = (name: string) => pem(name).toString();
  const shownBy = (client: string, ca = "authority.pem") => ({
    ...{ cert: text(`${client}.pem`), key: text(`${client}.key`), ca: text(ca) },
  });
  beforeEach(async () => {
    baseUrl = await serveTls((request, response) => {
      json(response, 200, { client: (request.socket as TLSSocket).getPeerCertificate().subject.CN });
    });
  });

  test("shows the client's certificate", async () => {
    expect(await clientOf({ baseUrl, tls: shownBy("client") })("/x", within())).toMatchObject({
      json: { client: "client of 2026" },
    });
  });

  test("sends nothing to a server that another authority has signed", async () => {
    const tls = shownBy("client", "other-authority.pem");
    expect(await clientOf({ baseUrl, tls })("/x", within())).toMatchObject({ status: UNREACHED });
    const { ca: _, ...byDefault } = tls;
    expect(await clientOf({ baseUrl, tls: byDefault })("/x", within())).toMatchObject({ status: UNREACHED });
  });

  test("uses a certificate that was replaced, without a restart, and the old one while the new one cannot be used", async () => {
    let tls = shownBy("client");
    const ask = httpClient(() => ({ provider: "test", baseUrl, tls }));
    const shown = async () => ((await ask("/x", within())).json as { client: string }).client;
    expect(await shown()).toBe("client of 2026");
    tls = { ...tls, cert: text("next-client.pem") };
    expect(await shown(), "its key is still the old one").toBe("client of 2026");
    tls = shownBy("next-client");
    expect(await shown()).toBe("client of 2027");
    tls = { ...tls, cert: "-" };
    expect(await shown()).toBe("client of 2027");
  });

  test("without a certificate that can be read asks nothing", async () => {
    const tls = { ...shownBy("client"), cert: "-" };
    await expect(clientOf({ baseUrl, tls })("/x", within())).rejects.toThrow("certificate");
  });
});

describe("an OAuth token", () => {
  type Place = {
    asked: number;
    granted: number;
    valid: string;
    sleepMs: number;
    refuses: boolean;
    acceptsNone: boolean;
    expiresIn: unknown;
    seen: string[];
  };
  let place: Place;
  let settings: Settings & { oauth: NonNullable<Settings["oauth"]> };

  beforeEach(async () => {
    place = {
      ...{ asked: 0, granted: 0, valid: "", sleepMs: 20, refuses: false, acceptsNone: false },
      ...{ expiresIn: 3_600, seen: [] },
    };
    const baseUrl = await serve(async (request, response) => {
      const { url, headers } = request;
      if (url === "/token") {
        const body = await textOf(request);
        place.asked += 1;
        await new Promise((resolve) => setTimeout(resolve, place.sleepMs));
        const isKnown = headers.authorization === `Basic ${Buffer.from("id:a%20secret").toString("base64")}`;
        if (!isKnown || body !== "grant_type=client_credentials&scope=cob.write+pix.read" || place.refuses)
          return json(response, 401, {});
        place.granted += 1;
        place.valid = `token-${place.granted}`;
        return json(response, 200, { access_token: place.valid, expires_in: place.expiresIn, token_type: "Bearer" });
      }
      place.seen.push(headers.authorization ?? "");
      const isGood = !place.acceptsNone && headers.authorization === `Bearer ${place.valid}`;
      return json(response, isGood ? 200 : 401, {});
    });
    settings = {
      provider: `psp-${newAlphanumeric(8)}`,
      baseUrl,
      oauth: { tokenUrl: `${baseUrl}/token`, clientId: "id", clientSecret: "a secret", scope: "cob.write pix.read" },
    };
  });

  const ask = () => httpClient(() => settings)("/x", within());
  const name = () => tokenNameOf(settings.provider, settings.oauth);
  const stored = async () => {
    const text =
      "select sealed_token as sealed, claimed_until <= now() as free from provider_tokens where provider = $1";
    return (await runPrepared<{ sealed: Buffer | null; free: boolean }>("", text, [name()]))[0];
  };
  /** The time is over for which a refused credential is not shown again. */
  const forgetRefusal = () =>
    runPrepared("", "update provider_tokens set refused_until = now() where provider = $1", [name()]);

  test("is asked for once for ten callers at once, is sealed, and serves until it ends", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect([place.granted, place.seen]).toEqual([1, Array(10).fill("Bearer token-1")]);
    const row = await stored();
    expect(row?.sealed?.toString("latin1")).not.toContain("token-1");
    expect(row?.free).toBe(true);
    await ask();
    expect(place.granted).toBe(1);
  });

  /** Runs work when that many seconds are over. A token lives for an hour. */
  async function whenOver(seconds: number, work: () => Promise<unknown>) {
    const steady = performance.now();
    const began = realNow().getTime();
    const note = (at: number) =>
      noteDatabaseTime(at + performance.now() - steady, performance.now(), performance.now());
    note(began + seconds * 1_000);
    await work().finally(() => note(began));
  }

  test("that has expired is refreshed once for ten callers at once", async () => {
    await ask();
    await whenOver(3_601, () => Promise.all(Array.from({ length: 10 }, ask)));
    expect([place.granted, place.seen.slice(1)]).toEqual([2, Array(10).fill("Bearer token-2")]);
  });

  test("is refreshed a minute before it ends, and serves on while the provider gives no other", async () => {
    await ask();
    await whenOver(3_500, ask);
    expect(place.granted).toBe(1);
    await whenOver(3_550, async () => {
      place.refuses = true;
      expect(await ask()).toMatchObject({ status: 200 });
      place.refuses = false;
      await forgetRefusal();
      expect(await ask()).toMatchObject({ status: 200 });
    });
    expect(place.granted).toBe(2);
  });

  test("that the provider no longer accepts is replaced once, and the request is sent again", async () => {
    await ask();
    place.valid = "another";
    const answers = await Promise.all(Array.from({ length: 10 }, ask));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(place.granted).toBe(2);
  });

  test("that is not given: nothing is sent", async () => {
    place.refuses = true;
    for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ status: UNREACHED, json: undefined });
    expect([place.seen, place.asked], "and a refused credential is not shown at each request").toEqual([[], 1]);
    place.refuses = false;
    await forgetRefusal();
    expect(await ask()).toMatchObject({ status: 200 });
  });

  test("that the provider never accepts is replaced once, and not at each request", async () => {
    place.acceptsNone = true;
    for (const _ of [1, 2, 3]) expect(await ask()).toMatchObject({ status: 401 });
    expect(place.granted).toBe(2);
    await whenOver(61, ask);
    expect(place.granted, "and once more a minute later").toBe(3);
  });

  test("belongs to its credential: another one has another token at once", async () => {
    await ask();
    settings = { ...settings, oauth: { ...settings.oauth, scope: "other" } };
    expect(await ask()).toMatchObject({ status: UNREACHED, json: undefined });
    settings = { ...settings, oauth: { ...settings.oauth, scope: "cob.write pix.read" } };
    expect(await ask()).toMatchObject({ status: 200 });
    expect(place.granted).toBe(1);
  });

  test.each([
    [1e308, 86_400],
    ["soon", 300],
    [-1, 300],
    [null, 300],
    [120, 120],
  ])("that is said to live for %s s serves for %d s", async (told, seconds) => {
    place.expiresIn = told;
    await ask();
    await whenOver(seconds * 0.7, ask);
    expect(place.granted).toBe(1);
    await whenOver(seconds + 1, ask);
    expect(place.granted).toBe(2);
  });

  test("is shared with other processes: one that is stored is not asked for, and one refreshes at a time", async () => {
    await runPrepared(
      "",
      "insert into provider_tokens (provider, claimed_until) values ($1, now() + interval '400 ms')",
      [name()],
    );
    const startedAt = performance.now();
    await ask();
    expect(performance.now() - startedAt, "another process was asking").toBeGreaterThan(300);
    const never = async () => {
      throw new Error("asked again");
    };
    const other = { ask: never, signal: AbortSignal.timeout(1_000) };
    expect(await tokenFor(name(), settings.oauth, other)).toMatchObject({ value: "token-1" });
  });
});
