import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { timeouts } from "@/lib/outside/http-client";
import { simulator } from "@/lib/rails/cards/simulator/adapter";
import { patience } from "@/lib/simulators/cards/routes";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";
import { serveRail } from "@/lib/testing/rail";

let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveRail();
});
afterAll(async () => {
  await server.close();
  await drop();
});

const usual = { ...patience, ...timeouts };
afterEach(() => {
  Object.assign(patience, { slowMs: usual.slowMs, heldMs: usual.heldMs });
  Object.assign(timeouts, { callMs: usual.callMs, findMs: usual.findMs });
});

const NUMBER = "4111111111111111";
const SILENT = "4000000000000119";
const CARD = {
  number: NUMBER,
  holder_name: "ANA CANARIO",
  expiry_month: "11",
  expiry_year: "2087",
  cvv: "9371",
};
/** Traces of the card. They are whole words, because an id may contain the digits by chance. */
const TRACES = [new RegExp(NUMBER), /\b411111/, /CANARIO/, /\b9371\b/];

const bodyOf = (number = NUMBER) => ({
  id: newId(),
  amount: 1_999,
  installments: 1,
  soft_descriptor: "Padaria",
  card: { ...CARD, number },
});

async function ask(path: string, init: RequestInit = {}, token = env.SIMULATOR_SECRET) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}/simulator/cards/v1${path}`, { headers, ...init });
  return { status: response.status, body: await response.json() };
}
const post = (body: unknown) => ask("/charges", { method: "POST", body: JSON.stringify(body) });

describe("the acquirer's routes", () => {
  test("answer about a charge with its id, amount in cents, installments and outcome, and nothing of its card", async () => {
    const body = bodyOf();
    const answer = {
      ...{ id: body.id, amount: 1_999, installments: 1, status: "approved" },
      ...{ refused_reason: null, refused_for_good: false },
    };
    expect(await post(body)).toEqual({ status: 201, body: answer });
    expect(await ask(`/charges/${body.id}`)).toEqual({ status: 200, body: answer });
  });

  test("refuse a caller without the credential, or with another one", async () => {
    for (const token of ["", "wrong", `${env.SIMULATOR_SECRET}x`]) {
      const body = JSON.stringify(bodyOf());
      expect((await ask("/charges", { method: "POST", body }, token)).status).toBe(401);
      expect((await ask(`/charges/${newId()}`, {}, token)).status).toBe(401);
    }
  });

  test("refuses another amount, or another number of installments, under the same id: 409", async () => {
    const body = bodyOf();
    await post(body);
    expect((await post({ ...body, amount: 2_000 })).status).toBe(409);
    expect((await post({ ...body, installments: 2 })).status).toBe(409);
    expect((await post(body)).status).toBe(201);
  });

  test.each<[string, object]>([
    ["a number that fails the Luhn check", { card: { ...CARD, number: "4111111111111112" } }],
    ["12 digits", { card: { ...CARD, number: "411111111111" } }],
    ["20 digits", { card: { ...CARD, number: "41111111111111111111" } }],
    ["letters", { card: { ...CARD, number: "4111-1111-1111-1111a" } }],
    ["a CVV of two digits", { card: { ...CARD, cvv: "93" } }],
    ["a month that is none", { card: { ...CARD, expiry_month: "13" } }],
    ["no card", { card: undefined }],
    ["an id that is none", { id: "1" }],
    ["no amount", { amount: 0 }],
    ["an amount that is no whole cent", { amount: 19.99 }],
    ["thirteen installments", { installments: 13 }],
  ])("refuses %s with 422 and without quoting it", async (_, wrong) => {
    const answer = await post({ ...bodyOf(), ...wrong });
    expect(answer).toMatchObject({ status: 422, body: { message: expect.any(String) } });
    for (const trace of TRACES) expect(JSON.stringify(answer.body)).not.toMatch(trace);
  });

  test("answer broken JSON with 400, a wrong method with 405, and any unknown id with 404", async () => {
    expect((await ask("/charges", { method: "POST", body: "{" })).status).toBe(400);
    expect((await ask("/charges", { method: "PUT", body: "{}" })).status).toBe(405);
    for (const query of [
      "",
      "?since=x",
      "?since=2026-01-01T00:00:00Z&cursor=x",
      "?since=2026-01-01T00:00:00Z&limit=0",
    ]) {
      expect((await ask(`/charges${query}`)).status, query).toBe(422);
    }
    expect((await ask(`/charges/${newId()}`, { method: "POST", body: "{}" })).status).toBe(405);
    for (const id of [newId(), "1", "%00"]) {
      expect(await ask(`/charges/${id}`)).toMatchObject({ status: 404, body: { error: "charge_not_found" } });
    }
  });

  test("keeps no number, holder, expiry or CVV, because its table has no columns for them", async () => {
    await post(bodyOf());
    const rows = await runPrepared<object>("t-charges", "select * from simulator_charges", []);
    const columns = ["id", "amount", "installments", "status", "refused_reason", "created_at"];
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(Object.keys(row)).toEqual(columns);
  });

  test("holds a caller without answer until the caller goes", async () => {
    const body = bodyOf(SILENT);
    timeouts.callMs = 1_000;
    const { soft_descriptor, ...charge } = body;
    await expect(simulator.charge({ ...charge, brand: "visa", softDescriptor: soft_descriptor })).rejects.toThrow(
      "TimeoutError",
    );
    // A server with a held caller would not close; this one has none, though heldMs is 30 s.
    const asked = performance.now();
    await server.close();
    expect(performance.now() - asked).toBeLessThan(10_000);
    server = await serveRail();
    expect((await ask(`/charges/${body.id}`)).body).toMatchObject({ status: "approved" });
  });

  test("ends a held request without an outcome, though the charge is recorded", async () => {
    patience.heldMs = 0;
    const body = bodyOf(SILENT);
    expect(await post(body)).toEqual({ status: 504, body: { message: expect.any(String) } });
    expect((await ask(`/charges/${body.id}`)).body).toMatchObject({ status: "approved" });
  });

  test("charges once when a card without answer is sent twice at once: one caller is held, the other is answered", async () => {
    patience.heldMs = 0;
    const body = bodyOf(SILENT);
    const statuses = (await Promise.all([post(body), post(body)])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 504]);
  });
});

type Impostor = (response: ServerResponse, sent: string) => void;

/** Other servers that may answer at the acquirer's address; each returns as much of the card as it can. */
const impostors: Record<string, Impostor> = {
  "an error that quotes the request": (response, sent) => response.writeHead(500).end(sent),
  "a 201 that is no JSON": (response, sent) => response.writeHead(201).end(`oops ${sent}`),
  "a 201 whose outcome quotes the card": (response, sent) =>
    response.writeHead(201).end(JSON.stringify({ ...JSON.parse(sent), status: "refused", refused_reason: sent })),
  "a 201 of an unknown status": (response, sent) =>
    response.writeHead(201).end(JSON.stringify({ id: JSON.parse(sent).id, status: sent })),
  "the outcome of another charge": (response) =>
    response.writeHead(201).end(JSON.stringify({ id: newId(), status: "approved" })),
  "a 200, which no charge is answered with": (response, sent) =>
    response.writeHead(200).end(JSON.stringify({ id: JSON.parse(sent).id, status: "approved" })),
  "a redirect": (response) => response.writeHead(307, { location: `/?${new URLSearchParams(CARD)}` }).end(),
  "half an answer": (response, sent) => {
    response.writeHead(201, { "content-length": 10_000 }).write(sent);
    setImmediate(() => response.destroy());
  },
  "a cut connection": (response) => response.destroy(),
};

describe("the adapter", () => {
  async function standIn(impostor: Impostor) {
    const other = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      impostor(response, Buffer.concat(chunks).toString());
    });
    await new Promise<void>((listening) => other.listen(0, "127.0.0.1", listening));
    const before = env.SIMULATOR_URL;
    Object.assign(env, { SIMULATOR_URL: `http://127.0.0.1:${(other.address() as AddressInfo).port}` });
    onTestFinished(async () => {
      Object.assign(env, { SIMULATOR_URL: before });
      other.closeAllConnections();
      await new Promise((closed) => other.close(closed));
    });
  }

  test.each(Object.entries(impostors))("treats %s as no answer, and repeats nothing of it", async (_, impostor) => {
    await standIn(impostor);
    const charge = {
      id: newId(),
      amount: 1_999,
      installments: 1,
      card: CARD,
      brand: "visa",
      softDescriptor: "Padaria",
    };
    const error = await simulator.charge(charge).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const shown = inspect(error, { depth: 20, showHidden: true }) + (error as Error).stack;
    for (const trace of TRACES) expect(shown).not.toMatch(trace);
  });

  test("treats a 404 as an unknown charge only when the body is the acquirer's", async () => {
    expect(await simulator.find({ id: newId(), amount: 1_999, isWanted: true })).toBeNull();
    await standIn((response) => response.writeHead(404).end(JSON.stringify({ message: "Not here" })));
    await expect(simulator.find({ id: newId(), amount: 1_999, isWanted: true })).rejects.toThrow("404");
  });

  test("waits 8 s for a charge and 5 s for a look-up by default", () => {
    expect(usual).toMatchObject({ callMs: 8_000, findMs: 5_000, slowMs: 3_000, heldMs: 30_000 });
  });
});

test("a failed card call logs nothing of the card, on either side, at the lowest log level", async () => {
  const program = await startProgram(
    `
    import { log } from "@/lib/log";
    import { simulator } from "@/lib/rails/cards/simulator/adapter";
    import { serveRail } from "@/lib/testing/rail";
    const { url, close } = await serveRail();
    const card = ${JSON.stringify(CARD)};
    const charge = { id: "${newId()}", amount: 1999, installments: 1, card, brand: "visa", softDescriptor: "Padaria" };
    const attempt = (wrong = {}) =>
      simulator.charge({ ...charge, ...wrong }).catch((error) => log.error({ error }, "a charge failed"));
    const headers = { authorization: "Bearer " + process.env.SIMULATOR_SECRET, "content-type": "application/json" };
    await attempt(); // the acquirer's database is away
    await attempt({ amount: 0 });
    for (const body of [JSON.stringify(charge) + "}", "x" + card.number]) {
      await fetch(url + "/simulator/cards/v1/charges", { method: "POST", headers, body });
    }
    try {
      JSON.parse("," + card.number); // whose error quotes it
    } catch (error) {
      log.error({ error }, "a card that cannot be read");
    }
    await close();
    await attempt(); // the acquirer is away
    `,
    { LOG_LEVEL: "trace", DATABASE_PROGRAM_URL: "postgresql://nobody:nothing@127.0.0.1:1/none" },
  );
  await once(program.child, "close");
  const printed = program.printed();
  expect(printed.match(/"a charge failed"/g), printed).toHaveLength(2); // a request that is not accepted is no failure
  expect(printed).toContain("a route without a contract failed");
  expect(printed).toContain("a card that cannot be read");
  expect(printed).toContain('"status":422');
  expect(printed).toContain('"status":400');
  for (const trace of TRACES) expect(printed).not.toMatch(trace);
});
