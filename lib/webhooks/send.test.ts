import { createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openReceiver } from "@/lib/testing/webhooks";
import { send } from "@/lib/webhooks/send";
import { receiver } from "@/lib/webhooks/testing";

const message = (url: string, timeoutMs = 5_000) =>
  ({
    accountId: "a",
    url,
    mode: "sandbox",
    headers: { "content-type": "application/json", "x-one": "1" },
    body: '{"a":"ç"}',
    timeoutMs,
    at: new Date(),
  }) as const;

test("sends the bytes and headers it was given, to path and query", async () => {
  const { url, received } = await openReceiver({ status: 204 });
  expect(await send(message(`${url}/hook?x=1#part`))).toMatchObject({ status: 204, error: null, body: "" });
  expect(received).toMatchObject([{ method: "POST", path: "/hook?x=1", body: '{"a":"ç"}', headers: { "x-one": "1" } }]);
});

test.each([
  [200, null],
  [201, null],
  [299, null],
  [400, "http_error"],
  [410, "http_error"],
  [500, "http_error"],
])("an answer of %i is %j", async (status, error) => {
  const { url } = await openReceiver({ status, body: "answered" });
  expect(await send(message(url))).toMatchObject({ status, error, body: "answered" });
});

test.each([301, 302, 303, 307, 308])("a redirect (%i) is a failure and is not followed", async (status) => {
  const target = await openReceiver({ status: 200 });
  const { url } = await openReceiver({ status, headers: { location: target.url } });
  expect(await send(message(url))).toMatchObject({ status, error: "redirect" });
  expect(target.received).toEqual([]);
});

test("a receiver that never answers is a time-out, and so is one that never ends its answer", async () => {
  const silent = await openReceiver("hang");
  expect(await send(message(silent.url, 60))).toMatchObject({ status: null, error: "timeout" });
  const endless = await openReceiver("drip");
  expect(await send(message(endless.url, 1_000))).toMatchObject({ status: 200, error: "timeout" });
});

test("a name that never resolves is a time-out too", async () => {
  const never = () => new Promise<string[]>(() => {});
  expect(await send(message("https://slow.example/", 60), never)).toMatchObject({ status: null, error: "timeout" });
});

test("only the first 2 KB of an answer are kept, as text that a database accepts", async () => {
  const { url } = await openReceiver({ status: 200, body: `\u0000é${"ç".repeat(50_000)}` });
  const { body, error } = await send(message(url));
  expect(error).toBeNull();
  expect(body).toBe(` é${"ç".repeat(1022)}`);
});

test("the secret is hidden in an answer that contains it, even where the answer is cut", async () => {
  const hide = "s".repeat(43);
  for (const before of ["", "\u0000".repeat(50), "a".repeat(2030), "é".repeat(1010), "a".repeat(2047)]) {
    const { url } = await openReceiver({ status: 200, body: before + hide.repeat(60) });
    const { body } = await send({ ...message(url), hide: ["t".repeat(43), hide] });
    expect(body).toMatch(/\*$/);
    expect(body).not.toContain("s");
  }
});

test("Retry-After is read", async () => {
  const { url } = await openReceiver({ status: 503, headers: { "retry-after": "120" } });
  expect(await send(message(url))).toMatchObject({ status: 503, retryAfterMs: 120_000 });
});

test("each failure before an answer is named", async () => {
  const refusing = await receiver({ status: 200 });
  await refusing.close();
  expect(await send(message(refusing.url))).toMatchObject({ status: null, error: "connection_refused" });

  const plain = await openReceiver({ status: 200 });
  expect(await send(message(plain.url.replace("http:", "https:")))).toMatchObject({ error: "tls" });

  expect(await send(message("https://gone.example/"), async () => [])).toMatchObject({ error: "dns" });
  expect(await send(message("https://gone.invalid/"))).toMatchObject({ error: "dns" });

  expect(await send(message(await tcp((socket) => socket.destroy())))).toMatchObject({ error: "connection_failed" });
  const rude = await tcp((socket) => socket.end("not http at all\r\n\r\n"));
  expect(await send(message(rude))).toMatchObject({ error: "invalid_response" });
});

test("an address that became private after registration is not connected to", async () => {
  const { url, received } = await openReceiver({ status: 200 });
  const { port } = new URL(url);
  const rebound = async () => ["127.0.0.1"];
  expect(await send(message(`https://rebound.example:${port}/`), rebound)).toMatchObject({
    error: "address_not_allowed",
  });
  for (const literal of [`https://10.0.0.1/`, `https://[::ffff:127.0.0.1]:${port}/`, `http://127.0.0.2:${port}/`]) {
    expect(await send(message(literal))).toMatchObject({ status: null, error: "address_not_allowed" });
  }
  expect(await send({ ...message(url), mode: "live" })).toMatchObject({ error: "address_not_allowed" });
  expect(received).toEqual([]);
});

async function tcp(onData: (socket: import("node:net").Socket) => void) {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => onData(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/`;
}
