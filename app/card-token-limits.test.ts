import { request } from "node:http";
import { expect, test } from "vitest";
import { askAt } from "@/lib/testing/http";
import { freePort, startProgram } from "@/lib/testing/program";
import { aCard, makeShop, SHOP, someAddress } from "@/lib/testing/shop";

const PATH = "/api/public/v1/card-tokens";

const SERVER = `import { POST } from "@/app/api/public/v1/card-tokens/route";
  import { createHost } from "@/lib/http/host";
  const host = createHost([{ path: "${PATH}", module: { POST } }], () => {});
  host.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));`;

/** Starts two servers over one database, each in a process of its own. */
async function startTwo(settings: Record<string, string>) {
  const one = async () => {
    const port = await freePort();
    const program = await startProgram(SERVER, { PORT: String(port), LOG_LEVEL: "error", ...settings });
    await program.says("open");
    return `http://127.0.0.1:${port}`;
  };
  return Promise.all([one(), one()]);
}

const SENDERS = 64;

/** Makes `calls` calls by 64 senders at once. Returns how often each status was answered. */
async function storm(calls: number, send: (turn: number) => Promise<number>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  let next = 0;
  const sender = async () => {
    for (let turn = next++; turn < calls; turn = next++) {
      const status = await send(turn);
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return counts;
}

test("64 senders at two servers get exactly 20 tokens of one key from one address, and 60 of all keys", {
  timeout: 60_000,
}, async () => {
  const servers = await startTwo({ TRUSTED_PROXIES: "1" });
  const shops = await Promise.all(Array.from({ length: 8 }, () => makeShop()));
  const tokenize = async (turn: number, key: string, from: string, body: unknown = aCard()) => {
    const headers = { "x-public-key": key, origin: SHOP, "x-forwarded-for": from };
    return (await askAt(servers[turn % 2] ?? "", "POST", PATH, { body, headers })).status;
  };
  const keyOf = (at: number) => shops[at % shops.length]?.key ?? "";

  const [alone, shared, neighbour] = [someAddress(), someAddress(), someAddress()];
  expect(await storm(192, (turn) => tokenize(turn, keyOf(0), alone))).toEqual({ 201: 20, 429: 172 });
  expect(await storm(256, (turn) => tokenize(turn, keyOf(Math.floor(turn / 2)), shared))).toEqual({
    201: 60,
    429: 196,
  });
  // A refused card spends a slot as well, and another address has its own slots.
  const wrong = aCard({ number: "1" });
  expect(await storm(128, (turn) => tokenize(turn, keyOf(0), neighbour, wrong))).toEqual({ 422: 20, 429: 108 });
});

/** One call from this address of the loopback network, which no header names. */
function callFrom(localAddress: string, url: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}${PATH}`, { method: "POST", localAddress, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(JSON.stringify(aCard()));
  });
}

test("1,000 forged X-Forwarded-For get neither a 21st token nor a 61st call", { timeout: 60_000 }, async () => {
  const servers = await startTwo({ TRUSTED_PROXIES: "0" });
  const shops = await Promise.all(Array.from({ length: 4 }, () => makeShop()));
  const [one, two] = [someAddress(), someAddress()].map((address) => address.replace(/^10/, "127"));
  const call = (turn: number, key: string, from = "") =>
    callFrom(from, servers[turn % 2] ?? "", {
      "content-type": "application/json",
      "x-public-key": key,
      origin: SHOP,
      "x-forwarded-for": turn % 3 === 0 ? `${someAddress()}, ${someAddress()}` : someAddress(),
      "x-real-ip": someAddress(),
      forwarded: `for=${someAddress()}`,
    });
  expect(await storm(1_000, (turn) => call(turn, shops[0]?.key ?? "", one))).toEqual({ 201: 20, 429: 980 });
  const keyOf = (turn: number) => shops[Math.floor(turn / 2) % 4]?.key ?? "";
  expect(await storm(200, (turn) => call(turn, keyOf(turn), two))).toEqual({ 201: 60, 429: 140 });
});
