import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { root } from "../bin/settings.mjs";
import { npmStart } from "./environment.mjs";
import { percentile, table } from "./figures.mjs";

/** One round of the attack; a round's connections stay open until the last round has ended. */
const SOCKETS = 10;
const PIPELINED = 50;
const ROUND_MS = 2_000;
const NEIGHBOUR_EVERY_MS = 10;
/** Who attacks has an address of its own, so that the bounds of one address do not protect the neighbour alone. */
const ATTACKER = "127.0.0.2";
const BALANCE = "/api/partner/v1/balance";
const MB = 1_000_000;
/** A picture of the largest size; only its first bytes are looked at. */
const PICTURE = Buffer.concat([
  Buffer.from("89504e470d0a1a0a0000000d494844520000000400000004080200000026930929", "hex"),
  randomBytes(MB - 33),
]);

/**
 * Sockets that ask for much and read nothing, by route: how much memory that takes, and how long a neighbour waits for
 * its balance meanwhile.
 */
export async function unread({ fixtures, start }, { rounds }) {
  const seller = await fixtures.makeSeller();
  const server = await start(...npmStart);
  const paths = await pathsOf(server.url, seller);
  const neighbour = (ms) => callFor(server.url, seller.token, ms);
  await neighbour(ROUND_MS);
  const rows = [];
  for (const [name, { path, headers }] of Object.entries(paths)) {
    await (await fetch(server.url + path, { headers })).arrayBuffer();
    await server.ask();
    const sockets = [];
    const took = [];
    const { resident } = await server.ask();
    for (let round = 0; round < rounds; round++) {
      sockets.push(...(await attack(server.url, path, headers)));
      took.push(...(await neighbour(ROUND_MS)));
    }
    const { rss } = await server.ask();
    for (const socket of sockets) socket.destroy();
    took.sort((one, other) => one - other);
    rows.push({ name, more: (rss - resident) / MB, p99: percentile(took, 0.99), longest: took.at(-1) });
    await sleep(ROUND_MS);
  }
  await server.stop();
  table([
    ["unread", "more memory, MB", "neighbour's p99, ms", "its longest, ms"],
    ...rows.map(({ name, more, p99, longest }) => [name, more.toFixed(0), p99.toFixed(0), longest.toFixed(0)]),
  ]);
  return rows.flatMap(({ name, more, p99 }) => [
    { what: `more memory by ${name}, MB`, value: more, atMost: 50, digits: 0 },
    { what: `a neighbour's p99 beside ${name}, ms`, value: p99, atMost: 300, digits: 0 },
  ]);
}

/** The routes that answer much, and the pages that anybody may open. */
async function pathsOf(url, { token }) {
  const headers = { authorization: `Bearer ${token}` };
  const post = async (path, body, type = "application/json") => {
    const sent = { method: "POST", headers: { ...headers, "content-type": type }, body };
    const response = await fetch(`${url}/api/partner/v1${path}`, sent);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()).data;
  };
  const { reference_id: product } = await post("/products", JSON.stringify({ name: "Clube" }));
  const { image_url: picture } = await post(`/products/${product}/image`, PICTURE, "image/png");
  const link = await post("/payment-links", JSON.stringify({ amount: "10.00", description: "Clube" }));
  for (let n = 0; n < 100; n++) await post("/cash-in", JSON.stringify({ amount: 10, description: "x".repeat(100) }));
  return {
    picture: { path: new URL(picture).pathname },
    "openapi.json": { path: "/api/openapi.json" },
    "openapi.json, compressed": { path: "/api/openapi.json", headers: { "accept-encoding": "gzip" } },
    "list of sales": { path: "/api/partner/v2/transactions?limit=100", headers },
    "card fields": { path: `/fields?key=${"x".repeat(20)}` },
    checkout: { path: new URL(link.url).pathname },
    "a page": { path: "/sign-in" },
    "a page, compressed": { path: "/sign-in", headers: { "accept-encoding": "gzip" } },
    "a file of Next": { path: largestFile() },
  };
}

function largestFile() {
  const folder = join(root, ".next/static");
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const largest = paths.reduce((one, other) => (statSync(one).size >= statSync(other).size ? one : other));
  return `/_next/static${largest.slice(folder.length)}`;
}

/** Opens sockets, asks on each for the same many times, and reads nothing. */
function attack(url, path, headers = {}) {
  const lines = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  const asked = `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`.repeat(PIPELINED);
  const open = () =>
    new Promise((opened, failed) => {
      const { hostname: host, port } = new URL(url);
      const socket = connect({ host, port: Number(port), localAddress: ATTACKER }, () => {
        socket.write(asked);
        opened(socket);
      });
      socket.once("error", failed).pause();
      socket.on("error", () => {});
    });
  return Promise.all(Array.from({ length: SOCKETS }, open));
}

/** Reads a balance every few milliseconds, whether or not the one before has come. Returns how long each took. */
async function callFor(url, token, ms) {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: `Bearer ${token}` };
  const calls = [];
  for (const until = performance.now() + ms; performance.now() < until; await sleep(NEIGHBOUR_EVERY_MS)) {
    calls.push(call(url + BALANCE, { agent, headers }));
  }
  const took = await Promise.all(calls);
  agent.destroy();
  return took;
}

function call(url, options) {
  const started = performance.now();
  return new Promise((done, fail) => {
    const asked = request(url, options, (response) => {
      if (response.statusCode !== 200) fail(new Error(`The neighbour got ${response.statusCode}`));
      response.resume().on("end", () => done(performance.now() - started));
    });
    asked.on("error", fail).end();
  });
}
