import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { apiOf } from "@/components/api";
import type { ApiPath } from "@/components/paths";

type Answer = { status: number; body: object } | "lost";

/** What the server answers next; after that it answers with success. */
const answers: Answer[] = [];
/** The keys that it was sent. */
const keys: (string | undefined)[] = [];
const server = createServer((request, response) => {
  keys.push(request.headers["idempotency-key"] as string | undefined);
  const answer = answers.shift() ?? { status: 200, body: {} };
  if (answer === "lost") return request.socket.destroy();
  response.writeHead(answer.status, { "content-type": "application/json" }).end(JSON.stringify(answer.body));
});
let url: ApiPath;
beforeAll(async () => {
  vi.stubGlobal("navigator", { onLine: true }); // Node 20 has none
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/` as ApiPath;
});
afterAll(() => void server.close());

/** Sends the contents in turn; the first ones are answered as given. Returns each key as the number of its first use. */
async function keysOf(contents: object[], ...given: Answer[]) {
  answers.push(...given);
  keys.length = 0;
  const api = apiOf("account");
  for (const content of contents) await api.post(url, content).catch(() => {});
  return keys.map((key) => keys.indexOf(key));
}

const [one, other] = [{ amount: 1 }, { amount: 2 }];
const refused = (status: number, error: string) => ({ status, body: { message: "", error } });

test("the same content that is sent again after a lost answer has the same key, whatever was sent between", async () => {
  expect(await keysOf([one, one], "lost")).toEqual([0, 0]);
  expect(await keysOf([one, other, one], "lost")).toEqual([0, 1, 0]);
});

test("other content, and the same after success, has a new key", async () => {
  expect(await keysOf([one, other], "lost")).toEqual([0, 1]);
  expect(await keysOf([one, one])).toEqual([0, 1]);
});

test("writes that are under way at once each keep their own key", async () => {
  answers.push("lost");
  keys.length = 0;
  const api = apiOf("account");
  await Promise.allSettled([api.post(url, one), api.post(url, one), api.post(url, other)]);
  expect(new Set(keys).size).toBe(2);
});

test.each([401, 429, 500, 503])("a %i says nothing about an earlier lost answer: the key stays", async (status) => {
  expect(await keysOf([one, one, one], "lost", refused(status, "x"))).toEqual([0, 0, 0]);
});

test.each([refused(503, "deposit_not_made"), refused(422, "idempotency_key_reused")])(
  "a refusal that stands under its key is not asked for again: %j",
  async (refusal) => {
    expect(await keysOf([one, one], refusal)).toEqual([0, 1]);
  },
);
