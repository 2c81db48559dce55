import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { newAlphanumeric } from "@/lib/ids";
import { railNamed } from "@/lib/rails/pix/rails";
import { isSigned, SIGNATURE_HEADER, sign, TIMESTAMP_HEADER } from "@/lib/rails/pix/simulator/agreement";
import { newEndToEndId } from "@/lib/simulators/pix/records";
import { serveRail } from "@/lib/testing/rail";

let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  rail = await serveRail();
});
afterAll(() => rail.close());

const nowSeconds = () => Math.floor(Date.now() / 1000);

function notice(changes: Record<string, unknown> = {}) {
  const endToEndId = newEndToEndId("99999999");
  const body = { event_id: `evt_${endToEndId}`, type: "pix.received", end_to_end_id: endToEndId, txid: "abc123" };
  return { endToEndId, body: JSON.stringify({ ...body, amount: "12.34", ...changes }) };
}

function signed(body: string, { secret = env.SIMULATOR_SECRET, at = nowSeconds() } = {}): Record<string, string> {
  return { [TIMESTAMP_HEADER]: String(at), [SIGNATURE_HEADER]: sign(secret, String(at), body) };
}

async function send(body: string, headers: Record<string, string>, path = "/callbacks/pix/simulator", method = "POST") {
  const init = { method, headers: { "content-type": "application/json", ...headers } };
  const response = await fetch(`${rail.url}${path}`, method === "GET" ? init : { ...init, body });
  return { status: response.status, allow: response.headers.get("allow"), body: await response.json() };
}

/** What the inbox has of one payment, with its watch. */
const stored = (endToEndId: string) =>
  runPrepared(
    "t-inbox",
    `select payload, c.kind, about_id, happened_at, attempts, ask_at <= now() as due
     from callbacks c left join watches w on (w.provider, w.kind, w.id) = (c.provider, c.kind, c.about_id)
     where event_id like '%' || $1`,
    [endToEndId],
  );

test("a callback is stored once with only its known fields, and is due at once", async () => {
  const paid_at = "2026-11-22T10:00:00.123456Z";
  const { endToEndId, body } = notice({ extra: "x".repeat(99), amount: "12.34", paid_at });

  expect(await send(body, signed(body))).toMatchObject({ status: 200, body: { received: true } });

  const payload = {
    event_id: `evt_${endToEndId}`,
    type: "pix.received",
    end_to_end_id: endToEndId,
    txid: "abc123",
    amount: "12.34",
    paid_at,
  };
  const happened_at = new Date("2026-11-22T10:00:00.123Z");
  expect(await stored(endToEndId)).toEqual([
    { payload, kind: "payment", about_id: endToEndId, happened_at, attempts: 0, due: true },
  ]);
});

test("a callback of the release before, which names no time, is stored too", async () => {
  const { endToEndId, body } = notice();
  expect(await send(body, signed(body))).toMatchObject({ status: 200 });
  expect(await stored(endToEndId)).toMatchObject([{ happened_at: null, due: true }]);
});

describe("a callback about Pix Automático", () => {
  const idRec = () => `RR9999999920270104${newAlphanumeric(11)}`;
  const about = (id: string) =>
    runPrepared(
      "t-inbox-changes",
      `select c.kind, c.about_id, w.ask_at <= now() as due
       from callbacks c left join watches w on (w.provider, w.kind, w.id) = (c.provider, c.kind, c.about_id)
       where c.about_id = $1`,
      [id],
    );
  const bodyOf = (kind: string, id: string, changes = {}) =>
    JSON.stringify({
      event_id: `evt_${id}_1`,
      type: kind,
      [kind === "rec" ? "idRec" : "txid"]: id,
      status: "APROVADA",
      ...changes,
    });

  test.each([
    ["rec", idRec(), "mandate"],
    ["cobr", newAlphanumeric(32), "debit"],
  ])("%s is stored once, is due at once, and again after a repeat", async (kind, id, ours) => {
    const body = bodyOf(kind, id);
    const answers = await Promise.all([1, 2, 3].map(() => send(body, signed(body))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const row = { kind: ours, about_id: id, due: true };
    expect(await about(id)).toEqual([row]);
    await runPrepared("t-ended", "delete from watches where id = $1", [id]);
    await send(body, signed(body));
    expect(await about(id)).toEqual([row]);
    await runPrepared("t-gone", "delete from watches where id = $1", [id]); // nobody follows it here
  });

  test.each(["rec", "cobr"])("%s that is unsigned, stale or malformed is refused and not stored", async (kind) => {
    const id = kind === "rec" ? idRec() : newAlphanumeric(32);
    const body = bodyOf(kind, id);
    expect(await send(body, {})).toMatchObject({ status: 401 });
    expect(await send(body, signed(body, { at: nowSeconds() - 301 }))).toMatchObject({ status: 401 });
    for (const wrong of [{ idRec: `${id}x`, txid: "short" }, { event_id: "a b" }, { type: "solicrec" }]) {
      const malformed = bodyOf(kind, id, wrong);
      expect(await send(malformed, signed(malformed))).toMatchObject({ status: 400 });
    }
    expect(await about(id)).toEqual([]);
  });
});

test("50 equal callbacks at once are stored once, each is answered 200, and a repeat makes it due again", async () => {
  const { endToEndId, body } = notice();

  const answers = await Promise.all(Array.from({ length: 50 }, () => send(body, signed(body))));
  expect(await stored(endToEndId)).toMatchObject([{ due: true }]);
  await runPrepared("t-done", "delete from watches where id = $1", [endToEndId]);
  const repeat = await send(body, signed(body));

  expect(new Set([...answers, repeat].map(({ status }) => status))).toEqual(new Set([200]));
  expect(await stored(endToEndId)).toMatchObject([{ due: true }]);
});

describe("several callbacks in one body", () => {
  const listOf = (...notices: string[]) => `{"notices":[${notices.join(",")}]}`;

  test("are all stored and due, in one statement", async () => {
    const some = [notice(), notice(), notice()];
    const body = listOf(...some.map((one) => one.body), some[0]?.body ?? ""); // one of them twice
    expect(await send(body, signed(body))).toMatchObject({ status: 200, body: { received: true } });
    for (const { endToEndId } of some) expect(await stored(endToEndId)).toMatchObject([{ due: true }]);
  });

  test("of which one cannot be read: the others are stored, and the body is accepted", async () => {
    const [good, bad] = [notice(), notice({ amount: 12.34 })];
    const body = listOf(bad.body, "null", good.body);
    expect(await send(body, signed(body))).toMatchObject({ status: 200 });
    expect(await stored(good.endToEndId)).toMatchObject([{ due: true }]);
    expect(await stored(bad.endToEndId)).toEqual([]);
  });

  test("of which none can be read, or there is none: 400", async () => {
    for (const body of [listOf(notice({ amount: 1 }).body, "[]"), listOf()]) {
      expect(await send(body, signed(body))).toMatchObject({ status: 400 });
    }
  });

  test("that are not signed: nothing is stored", async () => {
    const { endToEndId, body } = notice();
    expect(await send(listOf(body), signed(body))).toMatchObject({ status: 401 });
    expect(await stored(endToEndId)).toEqual([]);
  });
});

test("a repeat of a callback that somebody asks about just now does not make it due", async () => {
  const { endToEndId, body } = notice();
  await send(body, signed(body));
  const claim = "update watches set ask_at = now() + interval '1 minute' where id = $1";
  await runPrepared("t-claim", claim, [endToEndId]);
  await send(body, signed(body));
  expect(await stored(endToEndId)).toMatchObject([{ due: false }]);
});

describe("stores nothing", () => {
  const unsigned: Record<string, string> = {};
  test.each<[string, (body: string) => Record<string, string>]>([
    ["unsigned", () => unsigned],
    ["signed with another secret", (body) => signed(body, { secret: "another secret of 32 characters." })],
    ["signed over another body", (body) => signed(`${body} `)],
    ["301 s old", (body) => signed(body, { at: nowSeconds() - 301 })],
    ["302 s ahead", (body) => signed(body, { at: nowSeconds() + 302 })],
    [
      "given a fresh time afterwards",
      (body) => ({ ...signed(body, { at: nowSeconds() - 400 }), [TIMESTAMP_HEADER]: String(nowSeconds()) }),
    ],
    ["without a time", (body) => ({ [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, "", body) })],
    [
      "with a time that is no number",
      (body) => ({ [TIMESTAMP_HEADER]: "1e9", [SIGNATURE_HEADER]: sign(env.SIMULATOR_SECRET, "1e9", body) }),
    ],
    [
      "with a signature cut short",
      (body) => ({ ...signed(body), [SIGNATURE_HEADER]: signed(body)[SIGNATURE_HEADER]?.slice(0, 8) ?? "" }),
    ],
  ])("a callback %s: 401", async (_, headersFor) => {
    const { endToEndId, body } = notice();
    expect(await send(body, headersFor(body))).toMatchObject({ status: 401, body: { message: expect.any(String) } });
    expect(await stored(endToEndId)).toEqual([]);
  });

  test("a callback whose amount was changed on the way: 401", async () => {
    const { endToEndId, body } = notice();
    expect(await send(body.replace("12.34", "99.34"), signed(body))).toMatchObject({ status: 401 });
    expect(await stored(endToEndId)).toEqual([]);
  });

  test.each([
    ["another kind of event", { type: "pix.refunded" }],
    ["a malformed end-to-end id", { end_to_end_id: "E1" }],
    ["an event id with a null character", { event_id: "evt_\u0000" }],
    ["no event id", { event_id: undefined }],
    ["an amount that is a number", { amount: 12.34 }],
  ])("a signed callback with %s: 400", async (_, changes) => {
    const { endToEndId, body } = notice(changes);
    expect(await send(body, signed(body))).toMatchObject({ status: 400, body: { message: expect.any(String) } });
    expect(await stored(endToEndId)).toEqual([]);
  });

  test.each(["", "{", "[]", "null", '"x"'])("a signed body that is %j: 400", async (body) => {
    expect(await send(body, signed(body))).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test("a body over 1 MB: 413, also when it is signed", async () => {
    const { endToEndId, body } = notice({ extra: "x".repeat(2_000_000) });
    expect(await send(body, signed(body))).toMatchObject({ status: 413 });
    expect(await stored(endToEndId)).toEqual([]);
  });

  test.each(["nobody", "__proto__", "constructor", "%00"])("a callback for the provider %s: 404", async (provider) => {
    const { endToEndId, body } = notice();
    expect(await send(body, signed(body), `/callbacks/pix/${provider}`)).toMatchObject({ status: 404 });
    expect(await stored(endToEndId)).toEqual([]);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s: 405 as JSON, naming POST", async (method) => {
    const { body } = notice();
    const answer = await send(body, signed(body), "/callbacks/pix/simulator", method);
    expect(answer).toMatchObject({ status: 405, allow: "POST", body: { message: expect.any(String) } });
  });
});

describe("signature", () => {
  const secret = fc.string({ minLength: 16 });
  const headersOf = (at: number, signature: string) =>
    new Headers({ [TIMESTAMP_HEADER]: String(at), [SIGNATURE_HEADER]: signature });

  test("a signature is valid for 300 s in both directions and no longer", () => {
    fc.assert(
      fc.property(
        secret,
        fc.string(),
        fc.integer({ min: 1e9, max: 2e9 }),
        fc.integer({ min: -600, max: 600 }),
        (key, body, at, off) => {
          const headers = headersOf(at, sign(key, String(at), body));
          expect(isSigned(key, headers, body, new Date((at + off) * 1000))).toBe(Math.abs(off) <= 300);
        },
      ),
    );
  });

  test("a signature is never valid for another body, secret or time", () => {
    fc.assert(
      fc.property(secret, secret, fc.string(), fc.string(), (key, otherKey, body, otherBody) => {
        fc.pre(key !== otherKey && Buffer.compare(Buffer.from(body), Buffer.from(otherBody)) !== 0);
        const [at, now] = [1_800_000_000, new Date(1_800_000_000_000)];
        const signature = sign(key, String(at), body);
        expect(isSigned(key, headersOf(at, signature), otherBody, now)).toBe(false);
        expect(isSigned(otherKey, headersOf(at, signature), body, now)).toBe(false);
        expect(isSigned(key, headersOf(at + 1, signature), body, now)).toBe(false);
      }),
    );
  });
});

test("the name of a rail is never a property of an object", () => {
  expect(railNamed("simulator")?.provider).toBe("simulator");
  for (const name of ["", "toString", "__proto__", "Simulator"]) expect(railNamed(name)).toBeNull();
});
