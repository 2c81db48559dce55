import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { cardCharge } from "@/lib/charges/call";
import { chargeCard } from "@/lib/charges/charge";
import { ChargeBody } from "@/lib/charges/schema";
import { asSystem, forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { beginCall, type CallKind, finishCall, makeCall } from "@/lib/outside/calls";
import { AT_ONCE, claimCalls, leases, OF_ONE } from "@/lib/outside/claim";
import { makeDueCalls, startCalls } from "@/lib/outside/run";
import { acquirerNamed } from "@/lib/rails/cards/acquirers";
import type { Acquirer } from "@/lib/rails/cards/port";
import { patience } from "@/lib/simulators/cards/routes";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
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
async function resolveDue(kind: CallKind<unknown> = cardCharge): Promise<number> {
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
      update calls set sent_at = now() - ${ageSeconds} * interval '1 second', asked_at = now() - ${ageSeconds} * interval '1 second', due_at = now()
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
  while (find.mock.calls.length < ids.length) await Promise.all([1, 2, 3].map(() => makeDueCalls([cardCharge])));
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
  const kind: CallKind<{ status: "done" }> = {
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
  const kindNamed = (name: string): CallKind<unknown> => ({
    name,
    async find({ id }) {
      asked.push(`${name} ${id}`);
      return { status: "lost" };
    },
    write: async () => undefined,
  });
  const [many, one] = [kindNamed("many"), kindNamed("one")];
  const begin = async ({ name: kind }: CallKind<unknown>, id: string) => {
    await forAccount(accountId, (tx) => beginCall(tx, { accountId, id, kind, provider: "test" }));
    await makeDue(id, 100);
  };
  for (let call = 0; call <= OF_ONE; call += 1) await begin(many, newId());
  const single = newId();
  await begin(one, single);
  expect(await makeDueCalls([many, one])).toBe(true);
  expect(asked).toContain(`one ${single}`);
  expect(asked).toHaveLength(OF_ONE + 1);
  expect(await makeDueCalls([many, one])).toBe(false);
  expect(asked).toHaveLength(OF_ONE + 2);
});

/** Writes calls of one kind that are due, the longest due first. Returns their ids. */
async function written(accountId: string, kind: string, provider: string, count: number, sinceSeconds = 60) {
  const ids = Array.from({ length: count }, newId);
  await asSystem(
    (tx) => tx.$executeRaw`insert into calls (account_id, id, kind, provider, due_at)
      select ${accountId}::uuid, id, ${kind}, ${provider}, now() - ${sinceSeconds} * interval '1 second'
      from unnest(${ids}::uuid[]) as c(id)`,
  );
  return ids;
}

/** Ends calls, so that no other test finds them. */
const endAll = (kind: string) =>
  asSystem((tx) => tx.$executeRaw`update calls set done_at = now() where kind = ${kind} and done_at is null`);

/** A kind of which one provider gives no answer until the returned function is called. */
function kindWithSilent(name: string, silent: string) {
  const asked: { provider: string; accountId: string; id: string }[] = [];
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const kind: CallKind<{ status: "done" }> = {
    name,
    async send(_, { accountId, id, provider }) {
      return async () => {
        asked.push({ accountId, id, provider });
        if (provider === silent) await answered;
        return { status: "done" };
      };
    },
    write: async () => undefined,
  };
  return { kind, asked, answer };
}

test("an account with a hundred calls to a silent provider keeps nobody's call waiting, neither there nor at another", async () => {
  const [crowd, neighbour] = [newId(), newId()];
  const { kind, asked, answer } = kindWithSilent("crowded", "silent");
  const asks = (of: string, provider: string) =>
    asked.filter((one) => one.accountId === of && one.provider === provider).length;
  await written(crowd, "crowded", "silent", 100);
  const failed: unknown[] = [];
  const stop = startCalls([kind])((error) => void failed.push(error));
  await vi.waitFor(() => expect(asks(crowd, "silent")).toBe(OF_ONE), { timeout: 5_000 });
  await written(neighbour, "crowded", "silent", 1, 1);
  await written(neighbour, "crowded", "another", 1, 1);
  await vi.waitFor(() => expect([asks(neighbour, "silent"), asks(neighbour, "another")]).toEqual([1, 1]), {
    timeout: 5_000,
  });
  expect(asks(crowd, "silent"), "none of the crowd has been answered").toBe(OF_ONE);
  answer();
  await vi.waitFor(() => expect(asks(crowd, "silent")).toBe(100), { timeout: 20_000 });
  await stop();
  expect(failed).toEqual([]);
});

test("of one kind at one provider all workers together claim as many as one alone, also at the same moment", async () => {
  const accounts = Array.from({ length: 4 }, newId);
  for (const accountId of accounts) await written(accountId, "counted", "psp", 20);
  const workers = Array.from({ length: 6 }, newId);
  await connected(ownerUrl(), async (other) => {
    await other.query("begin; select pg_advisory_xact_lock(7003, hashtext('calls'))");
    expect(await claimCalls(newId(), ["counted"]), "another one counts").toEqual({ claimed: [], isCounting: true });
  });
  const claims = await Promise.all(workers.map((worker) => claimCalls(worker, ["counted"])));
  expect(claims.flatMap(({ claimed }) => claimed)).toHaveLength(AT_ONCE);
  for (const worker of workers)
    expect(await claimCalls(worker, ["counted"])).toEqual({ claimed: [], isCounting: false });
  await endAll("counted");
});

test("the crowds of many accounts take turns, and who comes later is served within the round", async () => {
  const crowds = Array.from({ length: 50 }, newId);
  for (const accountId of crowds) await written(accountId, "turns", "psp", 4, 600);
  const served: string[] = [];
  const makeClaimed = async () => {
    const { claimed } = await claimCalls(newId(), ["turns"]);
    const ids = claimed.map(({ id }) => id);
    await asSystem((tx) => tx.$executeRaw`update calls set done_at = now() where id = any(${ids}::uuid[])`);
    served.push(...claimed.map(({ accountId }) => accountId));
    return claimed.length;
  };
  for (let look = 0; look < 2; look += 1) expect(await makeClaimed()).toBe(AT_ONCE);
  expect(new Set(served).size).toBe(2 * AT_ONCE);
  const late = newId();
  await written(late, "turns", "psp", 1, 1);
  await makeClaimed();
  expect(new Set(served)).toEqual(new Set([...crowds, late]));
  await endAll("turns");
});

test("what ends without an outcome is claimed by nobody: it is due, and its place is free, when its pause ends", async () => {
  const ids = await written(newId(), "unclear", "psp", 1);
  const send = async () => async () => {
    throw new Error("no answer");
  };
  await makeDueCalls([{ name: "unclear", send, write: async () => undefined }]);
  const [row] = (await asSystem(
    (tx) => tx.$queryRaw`
      select claimed_by, claimed_until, due_at < now() + interval '2 seconds' as "isSoon" from calls where id = ${ids[0]}::uuid`,
  )) as object[];
  expect(row).toEqual({ claimed_by: null, claimed_until: null, isSoon: true });
  await endAll("unclear");
});

test("what a dead worker has claimed is due again within 10 s, and its end changes nothing then", async () => {
  const accountId = newId();
  const [id] = await written(accountId, "dead", "psp", 1);
  const row = async () => {
    const [found] = await asSystem(
      (tx) => tx.$queryRaw<{ s: number; claimed: boolean }[]>`
        select extract(epoch from greatest(due_at, claimed_until) - now())::float8 as s, claimed_by is not null as claimed
        from calls where id = ${id}::uuid`,
    );
    return found ?? { s: Number.NaN, claimed: false };
  };
  const dead = newId();
  const { claimed } = await claimCalls(dead, ["dead"]);
  expect(claimed).toMatchObject([{ accountId, id, isSent: false }]);
  expect((await row()).s).toBeCloseTo(8, 0);
  await asSystem((tx) => tx.$executeRaw`update calls set claimed_until = now() where id = ${id}::uuid`);
  const next = newId();
  expect((await claimCalls(next, ["dead"])).claimed).toHaveLength(1);
  await leases.wait(dead, claimed);
  await leases.release(dead, claimed);
  expect((await row()).s, "the other's claim").toBeGreaterThan(6);
  await leases.wait(next, claimed);
  expect(await row()).toMatchObject({ claimed: false });
  expect((await row()).s, "the shortest pause").toBeGreaterThan(8);
  await endAll("dead");
});
