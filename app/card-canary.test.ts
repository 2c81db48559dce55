import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { ChargeBody } from "@/lib/charges/schema";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { everyTable, searchFor, someCvv, someHolder, someNumber, withWriteAheadLog } from "@/lib/testing/card-search";
import { HEAP_FILES, heapOf, WRITES_HEAP } from "@/lib/testing/heap";
import { type Answered, askAt } from "@/lib/testing/http";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { freePort, startProgram } from "@/lib/testing/program";
import { anOrder, makeShop, SHOP } from "@/lib/testing/shop";
import { receiver } from "@/lib/webhooks/testing";

/** These tests search a whole database and its write-ahead log, so they use one of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const SERVER = `${WRITES_HEAP}
  import { routes } from "@/app/routes.generated";
  import { createHost } from "@/lib/http/host";
  import { timeouts } from "@/lib/outside/http-client";
  import { patience } from "@/lib/simulators/cards/routes";
  Object.assign(timeouts, { callMs: 1_000 });
  Object.assign(patience, { heldMs: 2_000 });
  const host = createHost(routes.filter(({ path }) => !path.includes("[...")), (_, page) => page.writeHead(404).end());
  host.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));`;

const WORKER = `${WRITES_HEAP}
  import { registry } from "@/lib/jobs/registry";
  import { startWorker } from "@/lib/jobs/worker";
  await startWorker(registry);
  console.log("open");`;

/** Charges a card on file as a recurring charge will. There is no route for it yet. */
const RECURRING = `import { readContext } from "@/lib/accounts/read";
  import { chargeStoredCard } from "@/lib/charges/charge";
  import { newId } from "@/lib/ids";
  const { accountId, cardId, order } = JSON.parse(process.env.RECURRING);
  const call = { idem: undefined, requestId: newId() };
  const { status } = await chargeStoredCard(await readContext(accountId), order, cardId, call);
  console.log("charged " + status);`;

const HOLDER = someHolder();
const cards = {
  approved: someNumber(),
  denied: someNumber(),
  faulty: someNumber(),
  refused: "4000000000000002",
  silent: "4000000000000119",
};
const CVV = someCvv(Object.values(cards));
const inputOf = (number: string) => ({
  card: { number, holder_name: HOLDER, expiry_month: "12", expiry_year: "2039", cvv: CVV },
});

const search = searchFor({ numbers: cards, holder: HOLDER, cvv: CVV });

const PUBLIC = "/api/public/v1/card-tokens";
const PARTNER = "/api/partner/v1/card-tokens";
const CHARGE = "/api/partner/v1/credit-card";

const orderOf = ({ marker, webhook_url }: Order, overrides: object) =>
  anOrder("", { amount: 19.9, description: marker, webhook_url, ...overrides });

type Order = { marker: string; webhook_url: string };
type Shop = Awaited<ReturnType<typeof makeShop>>;

/** Sends cards through every outcome at our routes. */
async function useCards(url: string, { token, key }: Shop, order: Order) {
  const answers: Answered[] = [];
  const post = async (path: string, body: unknown, more: object = {}) => {
    const answer = await askAt(url, "POST", path, { body, ...more });
    answers.push(answer);
    return answer;
  };
  const page = { headers: { "x-public-key": key, origin: SHOP } };
  const tokenize = async (number: string, path = PARTNER) => {
    const { json } = await post(path, inputOf(number), path === PUBLIC ? page : { token });
    return (json.data as { token: string }).token;
  };
  const charge = async (card: object, status: number, overrides: object = {}) => {
    const answer = await post(CHARGE, orderOf(order, { card, ...overrides }), { token, key: newId() });
    expect(answer.status, answer.text).toBe(status);
    return String(answer.json.identifier);
  };

  const save_card = { consent: "Concordo com cobranças mensais desta loja." };
  const spent = await tokenize(cards.approved, PUBLIC);
  const approved = await charge({ token: spent }, 200, { save_card });
  await charge({ token: spent }, 409);
  await charge({ token: await tokenize(cards.refused) }, 402);
  const email = "fraude@example.com";
  await charge({ token: await tokenize(cards.denied) }, 402, { client: { ...orderOf(order, {}).client, email } });
  const silent = await charge({ token: await tokenize(cards.silent, PUBLIC) }, 200);
  await tokenize(cards.faulty, PUBLIC); // this one is never charged

  const { card } = inputOf(cards.faulty);
  const unread = await tokenize(cards.approved);
  await charge({ token: unread, ...card }, 422);
  await charge({ token: unread, cvv: CVV }, 422);
  await charge({ token: `card_token.${card.number}` }, 422);
  const wrong = Object.fromEntries(Object.keys(card).map((name) => [name, `${card.number} ${HOLDER}`]));
  for (const [path, more] of [
    [PUBLIC, page],
    [PARTNER, { token }],
    [CHARGE, { token }],
    [PUBLIC, { headers: { ...page.headers, origin: "https://other.example" } }],
    [PUBLIC, {}],
    [PARTNER, {}],
  ] as const) {
    const whole = JSON.stringify({ card });
    const bodies = [
      `${whole}}`,
      whole.slice(0, -4),
      { card: wrong },
      { card: card.number },
      [card],
      card.number,
      { card },
    ];
    for (const body of bodies) await post(`${path}?number=${card.number}`, body, more);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const headers = "headers" in more ? { ...more.headers, ...form } : form;
    await post(path, new URLSearchParams(card).toString(), { ...more, headers });
  }
  for (const table of ["card_tokens", "card_charges", "simulator_charges"]) {
    const good = await tokenize(cards.faulty);
    await connected(ownerUrl(), (client) => client.query(`alter table ${table} rename to gone`));
    await post(PARTNER, { card }, { token });
    await post(CHARGE, orderOf(order, { card: { token: good } }), { token });
    await connected(ownerUrl(), (client) => client.query(`alter table gone rename to ${table}`));
  }
  expect(new Set(answers.map(({ status }) => status))).toEqual(
    new Set([200, 201, 400, 401, 402, 403, 409, 415, 422, 500]),
  );
  return { answers, approved, silent };
}

/** Charges the card on file in a process of its own. Returns what it printed. */
async function chargeOnFile({ accountId }: Shop, order: Order, settings: Record<string, string>) {
  const [stored] = await forAccount(accountId, (tx) => tx.storedCard.findMany());
  const asked = { accountId, cardId: stored?.id, order: ChargeBody.parse(orderOf(order, { card: { token: "" } })) };
  const program = await startProgram(RECURRING, { ...settings, RECURRING: JSON.stringify(asked) });
  expect(await program.says("charged")).toBe("completed");
  return program.printed();
}

const WAIT = { timeout: 120_000, interval: 100 };

test("a card is found in no table, file, log or answer, whatever its outcome", { timeout: 300_000 }, async () => {
  await withWriteAheadLog(async (readLog) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const settings = {
      PORT: String(port),
      APP_URL: url,
      SIMULATOR_URL: url,
      LOG_LEVEL: "trace",
      CARD_DENIED_EMAILS: "fraude@example.com",
      HEAP_FILES,
    };
    const [server, worker] = await Promise.all([startProgram(SERVER, settings), startProgram(WORKER, settings)]);
    await Promise.all([server.says("open"), worker.says("open")]);
    const programs = Object.entries({ server, worker });
    const held = async () => {
      const heaps = programs.map(async ([name, program]) => ({ name, forms: search(await heapOf(program)) }));
      return (await Promise.all(heaps)).flatMap(({ name, forms }) =>
        forms.map((form) => `the ${name}'s heap: ${form}`),
      );
    };
    const before = await held(); // the simulator's own source has two of the numbers
    const shop = await makeShop();
    const callbacks = await receiver({ status: 200 });
    onTestFinished(callbacks.close);
    const order = { marker: newId(), webhook_url: callbacks.url };
    const { answers, approved, silent } = await useCards(url, shop, order);
    const recurring = await chargeOnFile(shop, order, settings);
    const look = () => askAt(url, "GET", `/api/partner/v1/transaction/${silent}`, { token: shop.token });
    const ended = () => callbacks.received.some(({ body }) => body.includes(silent));
    await vi.waitFor(async () => expect((await look()).text).toContain("completed"), WAIT); // once the worker has asked
    await vi.waitFor(() => expect(ended()).toBe(true), WAIT);
    await pause(500); // the request log is written within 250 ms

    const places = await connected(ownerUrl(), everyTable);
    const answered = answers.map(({ text, headers }) => [text, ...headers].join("\n"));
    places.set("postgres.log", readFileSync(join(env.DATA_DIR, "postgres.log")));
    places.set("answers", Buffer.from(answered.join("\n")));
    places.set("webhooks", Buffer.from(callbacks.received.map(({ body }) => body).join("\n")));
    const printed = { server: server.printed(), worker: worker.printed(), recurring };
    for (const [name, text] of Object.entries(printed)) places.set(name, Buffer.from(text));
    const found = [...places].flatMap(([place, bytes]) => search(bytes).map((form) => `${place}: ${form}`));
    found.push(...(await held()).filter((one) => !before.includes(one)));
    let isMarked = false;
    await readLog((file) => {
      found.push(...search(file).map((form) => `the write-ahead log: ${form}`));
      isMarked ||= file.includes(order.marker);
    });
    expect(found).toEqual([]);

    // The search does read each place, because values that are no secret are found there.
    const what = {
      "table transactions": order.marker,
      "the file of transactions": order.marker,
      "table request_log": CHARGE,
      "table card_tokens": cards.faulty.slice(-4),
      "table events": silent,
      "table deliveries": callbacks.url,
      answers: approved,
      webhooks: silent,
      server: '"request failed"',
      worker: "open",
      "postgres.log": "ERROR",
    };
    const missing = Object.entries(what).filter(([place, text]) => !places.get(place)?.includes(text));
    expect(missing).toEqual([]);
    expect(isMarked, "the write-ahead log is that of these charges").toBe(true);
  });
});

/** A program that keeps a card in memory by mistake. */
const HOLDS = `${WRITES_HEAP}
  const { card } = JSON.parse(process.env.HELD);
  const bodies = { text: JSON.stringify({ card }), hex: Buffer.from(card.number).toString("hex") };
  class Failed extends Error {}
  const failure = new Failed("Not a card: " + card.number.slice(0, 15) + card.number.slice(15));
  globalThis.held = [() => bodies, failure, new Map([[card.cvv, new WeakRef({})]])];
  setInterval(() => {}, 1_000);
  console.log("open");`;

test("the search finds a card that a program still holds, in the snapshot of its heap", {
  timeout: 60_000,
}, async () => {
  const program = await startProgram(HOLDS, { HEAP_FILES, HELD: JSON.stringify(inputOf(cards.approved)) });
  await program.says("open");
  const found = search(await heapOf(program));
  expect(found).toEqual(
    expect.arrayContaining([
      "the holder in latin1",
      "approved in latin1",
      "approved in hex",
      `the CVV as "${CVV}" in latin1`,
    ]),
  );
});

test("the search finds a card that is kept, in each of its forms, in a table, its file and the write-ahead log", async () => {
  await withWriteAheadLog(async (readLog) => {
    const { places, logged } = await connected(ownerUrl(), async (client) => {
      await client.query("create table planted (value bytea)");
      for (const form of search.forms.values()) await client.query("insert into planted values ($1)", [form]);
      const places = await everyTable(client);
      await client.query("drop table planted");
      const logged = new Set<string>();
      await readLog((file) => {
        for (const form of search(file)) logged.add(form);
      });
      return { places, logged };
    });
    const forms = [...search.forms.keys()].sort();
    const inPlace = (place: string) => search(places.get(place) ?? Buffer.alloc(0)).sort();
    expect(inPlace("table planted")).toEqual(forms);
    expect(inPlace("the file of planted")).toEqual(forms);
    expect([...logged].sort()).toEqual(forms);
  });
});
