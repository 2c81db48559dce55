import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { cardCharge } from "@/lib/charges/call";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { beginCall, finishCall, type Kind, makeCall } from "@/lib/outside/calls";
import { AT_ONCE, makeDueCalls } from "@/lib/outside/run";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Acquirer } from "@/lib/rails/cards/port";
import { patience } from "@/lib/simulators/cards/routes";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail, whileDown } from "@/lib/testing/rail";
import { anOrder, aToken } from "@/lib/testing/shop";

/** The loop asks about every due call, so these tests have a database of their own. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
const { heldMs } = patience;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
  Object.assign(patience, { heldMs: 0 });
});
afterAll(async () => {
  Object.assign(patience, { heldMs });
  await rail.close();
  await drop();
});

/** Asks about a batch of due calls. Returns how many it asked about. */
async function resolveDue(kind: Kind<unknown> = cardCharge): Promise<number> {
  const find = vi.spyOn(kind, "find");
  expect(await makeDueCalls([kind]), "more may be due").toBe(false);
  const { length } = find.mock.calls;
  find.mockRestore();
  return length;
}

/** Makes a charge that the acquirer approved and whose answer did not arrive. */
async function unanswered(seller: Made): Promise<string> {
  const order = ChargeBody.parse(anOrder(await aToken(seller, "4000000000000119")));
  const { identifier } = await chargeCard(seller.account, order, call());
  return identifier;
}

const statusOf = ({ accountId }: Made, id: string) =>
  forAccount(accountId, async (tx) => {
    const { status } = await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id } } });
    return status;
  });

/** Makes a call `ageSeconds` older and due. */
const makeDue = (id: string, ageSeconds = 0) =>
  asSystem(
    (tx) => tx.$executeRaw`
      update calls set sent_at = now() - ${ageSeconds} * interval '1 second', due_at = now()
      where id = ${id}::uuid`,
  );

/** How many seconds after its beginning a call is asked about. */
async function askedAfter(id: string): Promise<number> {
  const [row] = await asSystem(
    (tx) => tx.$queryRaw<{ age: number }[]>`
      select extract(epoch from due_at - sent_at)::float8 as age from calls where id = ${id}::uuid`,
  );
  return row?.age ?? Number.NaN;
}

function whenAsked(find: Acquirer["find"]) {
  const acquirer = acquirerNamed("simulator") as Acquirer;
  const spy = vi.spyOn(acquirer, "find").mockImplementation(find);
  onTestFinished(() => spy.mockRestore());
  return spy;
}

test("a call without an answer is asked about after 2 s, and one whose process died after 8 s", async () => {
  const seller = await makeAccount();
  const startedAt = performance.now();
  const silent = await unanswered(seller);
  const tookSeconds = (performance.now() - startedAt) / 1000;
  expect(await askedAfter(silent)).toBeGreaterThan(2);
  expect(await askedAfter(silent)).toBeLessThan(2 + tookSeconds);
  const { accountId } = seller;
  const id = crypto.randomUUID();
  await forAccount(accountId, (tx) => beginCall(tx, { accountId, id, kind: cardCharge.name, provider: "simulator" }));
  expect(await askedAfter(id)).toBe(8);

  await makeDue(silent);
  expect(await resolveDue(), "the other is not due yet").toBe(1);
  expect(await statusOf(seller, silent)).toBe("completed");
  await makeDue(silent);
  expect(await resolveDue(), "it is known").toBe(0);
  await forAccount(accountId, (tx) => tx.call.deleteMany({ where: { accountId, id } })); // nobody knows it
});

test("a provider that was away for a month is still asked for the outcome of a call", async () => {
  const seller = await makeAccount();
  const id = await unanswered(seller);
  for (const [age, wait] of [
    [10, 10],
    [400, 100],
    [30 * 86_400, 3_600],
  ] as const) {
    const dueAt = performance.now();
    await makeDue(id, age);
    expect(await whileDown(resolveDue)).toBe(1);
    const tookSeconds = (performance.now() - dueAt) / 1000;
    expect(await askedAfter(id)).toBeGreaterThan(age + wait);
    expect(await askedAfter(id)).toBeLessThan(age + wait + 1.25 * tookSeconds);
    expect(await statusOf(seller, id)).toBe("pending");
  }
  await makeDue(id, 30 * 86_400);
  await resolveDue();
  expect(await statusOf(seller, id)).toBe("completed");
});

test("of three loops at once one asks about each call, and calls that fail do not stop the others", async () => {
  const seller = await makeAccount();
  const ids = await Promise.all(Array.from({ length: 45 }, () => unanswered(seller)));
  for (const id of ids) await makeDue(id, 1_000);
  const failing = new Set(ids.slice(0, 25));
  const find = whenAsked(async ({ id }) => {
    if (failing.has(id)) throw new Error("The acquirer gave no answer");
    return { status: "approved" };
  });
  await Promise.all([1, 2, 3].map(() => makeDueCalls([cardCharge])));
  expect(find.mock.calls.map(([{ id }]) => id).sort()).toEqual([...ids].sort());
  const statuses = await Promise.all(ids.map((id) => statusOf(seller, id)));
  expect(statuses.filter((status) => status === "completed")).toHaveLength(20);
  expect(statuses.filter((status) => status === "pending")).toHaveLength(25);
});

test("a call of any kind is sent once and asked about until it is answered, and its answer is written once", async () => {
  const { accountId } = await makeAccount();
  const id = newId();
  const written: string[] = [];
  let asked = 0;
  const ask = async () => {
    asked += 1;
    if (asked < 4) throw new Error("time-out");
    return { status: "done" as const };
  };
  const kind: Kind<{ status: "done" }> = {
    name: "test",
    find: ask,
    write: async (_, call, { status }) => void written.push(`${call.id} ${status}`),
  };
  const send = () => makeCall({ accountId, id }, { kind, provider: "test", begin: async () => ask });
  await Promise.all([send(), send()]);
  expect(asked).toBe(1);
  for (const due of [1, 1, 1, 0]) {
    await makeDue(id);
    expect(await resolveDue(kind)).toBe(due);
  }
  await finishCall(kind, { accountId, id }, { status: "lost" });
  expect([written, asked]).toEqual([[`${id} done`], 4]);
});

test("one claim serves every kind, and none keeps the others waiting", async () => {
  const { accountId } = await makeAccount();
  const asked: string[] = [];
  const kindNamed = (name: string): Kind<unknown> => ({
    name,
    async find({ id }) {
      asked.push(`${name} ${id}`);
      return { status: "lost" };
    },
    write: async () => undefined,
  });
  const [many, one] = [kindNamed("many"), kindNamed("one")];
  const begin = async ({ name: kind }: Kind<unknown>, id: string) => {
    await forAccount(accountId, (tx) => beginCall(tx, { accountId, id, kind, provider: "test" }));
    await makeDue(id, 100);
  };
  for (let call = 0; call <= AT_ONCE; call += 1) await begin(many, newId());
  const single = newId();
  await begin(one, single);
  expect(await makeDueCalls([many, one])).toBe(true);
  expect(asked).toContain(`one ${single}`);
  expect(asked).toHaveLength(AT_ONCE + 1);
  expect(await makeDueCalls([many, one])).toBe(false);
  expect(asked).toHaveLength(AT_ONCE + 2);
});
