import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { json } from "@/lib/http/answer";
import { newAlphanumeric } from "@/lib/ids";
import { parseBrCode, writeBrCode } from "@/lib/rails/pix/brcode";
import { END_TO_END_ID } from "@/lib/rails/pix/end-to-end-id";
import { railFor } from "@/lib/rails/pix/rails";
import type { Receipt } from "@/lib/rails/pix/receipt";
import { PIX_KEY } from "@/lib/rails/pix/simulator/agreement";
import { sendNotices } from "@/lib/simulators/pix/notify";
import { newEndToEndId, recordPix } from "@/lib/simulators/pix/records";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";

/** How often our callback was notified of each payment. */
const notified = new Map<string, number>();
const answers = new Map<string, number>();
/** The time that the last notice of each payment named. */
const paidAt = new Map<string, string>();

/** These payments have no sales, so they are in a database that the run's last reconcile does not read. */
let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveRail({
    onCallback: async (request) => {
      const { end_to_end_id: id, paid_at } = (await request.json()) as { end_to_end_id: string; paid_at: string };
      paidAt.set(id, paid_at);
      notified.set(id, (notified.get(id) ?? 0) + 1);
      return json(answers.get(id) ?? 200, {});
    },
  });
});
afterAll(async () => {
  await server.close();
  await drop();
});

function sandboxRail() {
  const rail = railFor("sandbox");
  if (!rail?.pay || !rail.issueCode) throw new Error("a sandbox has the simulated rail");
  return { ...rail, pay: rail.pay };
}
const rail = sandboxRail();

const charge = (amount = 1_999) => ({
  txid: newAlphanumeric(25),
  amount,
  merchantName: "Padaria São João",
  merchantCity: "São Paulo",
});

const PAYER = { name: "Ana Conceição", document: "52998224725", ispb: "12345678" };

async function ask(path: string, init: RequestInit = {}, token = env.SIMULATOR_SECRET) {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const response = await fetch(`${server.url}/simulator/pix/v1${path}`, { headers, ...init });
  return { status: response.status, body: await response.json() };
}
const post = (body: unknown) => ask("/payments", { method: "POST", body: JSON.stringify(body) });

async function owed(endToEndId: string) {
  const text = `select attempts, extract(epoch from notify_at - now())::float8 as wait from simulator_pix
    where end_to_end_id = $1`;
  const [row] = await runPrepared<{ attempts: number; wait: number | null }>("t-owed", text, [endToEndId]);
  return row;
}

const makeDue = (endToEndId: string) =>
  runPrepared("t-due", "update simulator_pix set notify_at = now() - interval '1 hour' where end_to_end_id = $1", [
    endToEndId,
  ]);

describe("the port", () => {
  test("a live account has no rail today, and a sandbox has the simulated one", () => {
    expect([railFor("live"), railFor("sandbox")?.provider]).toEqual([null, "simulator"]);
  });

  test("a code carries exactly the given amount, txid and names", () => {
    const wanted = charge();
    const code = rail.issueCode({ ...wanted, description: "Pedido nº 7" });
    expect(code).toMatch(/^000201010211.*br\.gov\.bcb\.pix/);
    expect(parseBrCode(code)).toMatchObject({
      key: PIX_KEY,
      txid: wanted.txid,
      amount: 1_999,
      text: "Pedido no 7",
      merchantName: "Padaria Sao Joao",
      merchantCity: "Sao Paulo",
    });
  });

  test("a payment is found by its id and in the list, with the same content", async () => {
    const before = new Date(Date.now() - 1_000);
    const wanted = charge();

    const paid = await rail.pay({ code: rail.issueCode(wanted), payer: PAYER });

    expect(paid).toMatchObject({ txid: wanted.txid, amount: 1_999, payer: PAYER });
    expect(paid.endToEndId).toMatch(END_TO_END_ID);
    expect(paid.endToEndId).toMatch(/^E12345678/);
    expect(Math.abs(paid.paidAt.getTime() - Date.now())).toBeLessThan(5_000);
    expect(await rail.received(paid.endToEndId)).toEqual(paid);
    const listed: Receipt[] = [];
    for await (const receipt of rail.receivedWithin(before, new Date(Date.now() + 1_000))) listed.push(receipt);
    expect(listed.filter(({ endToEndId }) => endToEndId === paid.endToEndId)).toEqual([paid]);
  });

  test("a list has the payments of both its instants and of none before or after, page by page", async () => {
    const txid = newAlphanumeric(25);
    const day = Date.parse("2001-02-03T00:00:00Z");
    const at = (ms: number) => new Date(day + ms);
    const ids = await Promise.all(
      [-1, 0, 1, 2, 3].map(async (ms) => {
        const pix = { end_to_end_id: newEndToEndId(PAYER.ispb), txid, key: PIX_KEY, amount: 100, payer: PAYER };
        await recordPix(pix);
        const age = "update simulator_pix set paid_at = $2 where end_to_end_id = $1";
        await runPrepared("t-age", age, [pix.end_to_end_id, at(ms)]);
        return pix.end_to_end_id;
      }),
    );
    const listed: string[] = [];
    for await (const { endToEndId } of rail.receivedWithin(at(0), at(2))) listed.push(endToEndId);
    expect(listed).toEqual(ids.slice(1, 4));

    const query = (more: object) => new URLSearchParams({ until: at(2).toISOString(), limit: "2", ...more });
    const first = await ask(`/received?${query({ since: at(0).toISOString() })}`);
    const second = await ask(`/received?${query({ cursor: first.body.next_cursor })}`);
    const idsOf = (body: { data: { end_to_end_id: string }[] }) => body.data.map(({ end_to_end_id: id }) => id);
    expect([idsOf(first.body), idsOf(second.body)]).toEqual([ids.slice(1, 3), ids.slice(3, 4)]);
    expect(second.body.next_cursor).toBeNull();
  });

  test("a payment of another amount than the code's is reported as it was paid", async () => {
    const paid = await rail.pay({ code: rail.issueCode(charge()), amount: 1 });
    expect((await rail.received(paid.endToEndId))?.amount).toBe(1);
  });

  test("a payment sent again under its id is made once, and another one under that id is refused", async () => {
    const payment = { code: rail.issueCode(charge()), endToEndId: newEndToEndId("12345678") };
    const twice = await Promise.all([rail.pay(payment), rail.pay(payment)]);
    expect(twice[0]).toEqual(twice[1]);
    await expect(rail.pay({ ...payment, amount: 5 })).rejects.toThrow("409");
  });

  test("an id that the rail does not know gives null, whatever it looks like", async () => {
    for (const id of [newEndToEndId("12345678"), "E1", "../payments", "a/b", "\u0000", "%"]) {
      expect(await rail.received(id)).toBeNull();
    }
  });

  test("a list of several pages gives every payment once, oldest first", async () => {
    const txid = newAlphanumeric(25);
    const payer = { ...PAYER };
    const recorded = await Promise.all(
      Array.from({ length: 230 }, () =>
        recordPix({ end_to_end_id: newEndToEndId(payer.ispb), txid, key: PIX_KEY, amount: 100, payer }),
      ),
    );

    const listed: Receipt[] = [];
    for await (const receipt of rail.receivedWithin(new Date(Date.now() - 60_000), new Date(Date.now() + 1_000))) {
      if (receipt.txid === txid) listed.push(receipt);
    }

    expect(listed.map(({ endToEndId }) => endToEndId).sort()).toEqual(recorded.map((pix) => pix?.end_to_end_id).sort());
    const times = listed.map(({ paidAt }) => paidAt.getTime());
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });
});

describe("the PSP refuses", () => {
  const good = () => rail.issueCode(charge());

  test("a call without its credential, or with another", async () => {
    for (const token of ["", "wrong", `${env.SIMULATOR_SECRET}x`]) {
      expect(await ask("/received", {}, token)).toMatchObject({ status: 401, body: { message: expect.any(String) } });
      expect((await ask("/payments", { method: "POST", body: "{}" }, token)).status).toBe(401);
      expect((await ask(`/received/${newEndToEndId("12345678")}`, {}, token)).status).toBe(401);
    }
  });

  test.each<[string, () => unknown]>([
    ["a code with a wrong CRC", () => ({ pix_code: good().replace(/.$/, "-") })],
    ["a key that is not its client's", () => ({ pix_code: writeBrCode({ key: "a@b.example", ...charge() }) })],
    ["a dynamic code", () => ({ pix_code: writeBrCode({ url: "a.example/b", merchantName: "A", merchantCity: "B" }) })],
    [
      "a code without amount, none given",
      () => ({ pix_code: writeBrCode({ key: PIX_KEY, ...charge(), amount: null }) }),
    ],
    ...[0, -1, 1e-9, 1.005, "1,00", "NaN", "12345678901234567890", "", {}].map((amount): [string, () => unknown] => [
      `the amount ${JSON.stringify(amount)}`,
      () => ({ pix_code: good(), amount }),
    ]),
    ["a payer without a real document", () => ({ pix_code: good(), payer: { document: "1" } })],
    ["a payer's name with a control character", () => ({ pix_code: good(), payer: { name: "a\u0000b" } })],
    ["no code", () => ({})],
    ["a list", () => []],
  ])("%s: 422", async (_, body) => {
    expect(await post(body())).toMatchObject({ status: 422, body: { message: expect.any(String) } });
  });

  test("broken JSON: 400; a wrong method: 405; a bad query: 422", async () => {
    expect((await ask("/payments", { method: "POST", body: "{" })).status).toBe(400);
    expect((await ask("/payments", { method: "DELETE" })).status).toBe(405);
    expect((await ask("/received", { method: "POST", body: "{}" })).status).toBe(405);
    for (const query of ["since=yesterday", "until=later", "cursor=x", "limit=0", "limit=501"]) {
      expect((await ask(`/received?${query}`)).status).toBe(422);
    }
  });
});

describe("the notice of a payment", () => {
  const payOne = async () => (await rail.pay({ code: rail.issueCode(charge()) })).endToEndId;
  /** Only this file uses this database, so every notice is of these tests. */
  beforeEach(() => runPrepared("t-quiet", "update simulator_pix set notify_at = null", []));

  test("is due with the payment, names its time, and ends when the receiver answers 2xx", async () => {
    const paid = await rail.pay({ code: rail.issueCode(charge()) });
    expect(await owed(paid.endToEndId)).toMatchObject({ attempts: 0, wait: expect.closeTo(0, -1) });

    await sendNotices();
    await sendNotices();

    expect(notified.get(paid.endToEndId)).toBe(1);
    expect(new Date(String(paidAt.get(paid.endToEndId)))).toEqual(paid.paidAt);
    expect(await owed(paid.endToEndId)).toEqual({ attempts: 1, wait: null });
  });

  test("is sent once by workers that send at once, and a refused one holds up no other", async () => {
    const ids = await Promise.all(Array.from({ length: 8 }, payOne));
    const [refused = ""] = ids;
    answers.set(refused, 500);
    await Promise.all(Array.from({ length: 8 }, sendNotices));
    expect(ids.map((id) => notified.get(id))).toEqual(ids.map(() => 1));
    const waits = await Promise.all(ids.map(async (id) => (await owed(id))?.wait));
    expect(waits).toEqual(ids.map((id) => (id === refused ? expect.closeTo(10, -1) : null)));
  });

  test("is one of a batch: more are due while a batch is full", async () => {
    await Promise.all(Array.from({ length: 41 }, payOne));
    expect([await sendNotices(), await sendNotices(), await sendNotices()]).toEqual([true, false, false]);
    const [left] = await runPrepared(
      "t-left",
      "select count(*)::int from simulator_pix where notify_at is not null",
      [],
    );
    expect(left).toEqual({ count: 0 });
  });

  test.each([500, 401, 302])("answered %d is sent again after longer waits, until 2xx", async (status) => {
    const endToEndId = await payOne();
    answers.set(endToEndId, status);
    await sendNotices();
    const first = await owed(endToEndId);
    expect(first).toMatchObject({ attempts: 1, wait: expect.closeTo(10, -1) });

    await makeDue(endToEndId);
    await sendNotices();
    expect((await owed(endToEndId))?.wait).toBeGreaterThan(first?.wait ?? 0);

    answers.delete(endToEndId);
    await makeDue(endToEndId);
    await Promise.all([sendNotices(), sendNotices()]);
    expect(notified.get(endToEndId)).toBe(3);
    expect(await owed(endToEndId)).toEqual({ attempts: 3, wait: null });
  });

  test("that is never accepted ends after 20 attempts and stays recorded as not accepted", async () => {
    const endToEndId = await payOne();
    answers.set(endToEndId, 500);
    await runPrepared("t-tired", "update simulator_pix set attempts = 19 where end_to_end_id = $1", [endToEndId]);
    await sendNotices();
    expect(await owed(endToEndId), "there is no next one").toEqual({ attempts: 20, wait: null });
    await makeDue(endToEndId);
    await sendNotices();
    expect(notified.get(endToEndId)).toBe(1);
    expect(await owed(endToEndId)).toMatchObject({ attempts: 20, wait: expect.any(Number) });
  });
});

test("a rail that does not answer is an error, never null, so that the job asks again", async () => {
  const id = newEndToEndId("12345678");
  await expect(rail.received(id)).resolves.toBeNull();
  await server.close(); // the last test of this file
  await expect(rail.received(id)).rejects.toThrow();
  await expect(rail.receivedWithin(new Date(), new Date())[Symbol.asyncIterator]().next()).rejects.toThrow();
});
