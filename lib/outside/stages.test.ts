import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { asSystem, forAccount, queryOf } from "@/lib/db";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { PLATFORM } from "@/lib/ledger/chart";
import { rowsOf } from "@/lib/ledger/post";
import { beginCall, type CallKind, finishCall, writeCalls } from "@/lib/outside/calls";
import { storeCallbacks } from "@/lib/outside/inbox";
import { makeDueCalls } from "@/lib/outside/run";
import { askDue } from "@/lib/outside/watch";
import { watchCalls } from "@/lib/outside/watch-calls";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";

/** The loop makes every due call, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

type Answer = { status: "accepted" | "paid" };

/** A provider of payouts: what it answers to a payout, and to a question about one. */
const provider = { sent: [] as string[], found: [] as string[], answers: [] as (Answer | null | Error)[] };
const written: string[] = [];
beforeEach(() => {
  for (const list of [provider.sent, provider.found, provider.answers, written]) list.length = 0;
});

function next(): Answer | null {
  const answer = provider.answers.shift() ?? null;
  if (answer instanceof Error) throw answer;
  return answer;
}

const payout = {
  name: "payout",
  async send(_tx: unknown, { id, input }) {
    return async () => {
      provider.sent.push(`${id} ${(input as { amount: number }).amount}`);
      const answer = next();
      if (!answer) throw new Error("No answer came");
      return answer;
    };
  },
  async find({ id }) {
    provider.found.push(id);
    return next();
  },
  accept: async (_query, { input }) => void written.push(`accepted ${JSON.stringify(input)}`),
  write: async (_query, { input }, { status }) => void written.push(`${status} ${JSON.stringify(input)}`),
} satisfies CallKind<Answer>;

/** Writes a payout of 10,000 cents, to be made by the loop. */
async function aPayout() {
  const { accountId } = await makeAccount();
  const call = { accountId, id: newId(), kind: "payout", provider: "bank", input: { amount: 10_000 } };
  await forAccount(accountId, (tx) => writeCalls(queryOf(tx), [call]));
  return call;
}

/** Makes what is due, after this many minutes. */
async function makeCallsAfter(minutes: number) {
  await asSystem(
    (
      tx,
    ) => tx.$executeRaw`update calls set due_at = now(), sent_at = sent_at - ${minutes} * interval '1 minute', asked_at = asked_at - ${minutes} * interval '1 minute'
      where done_at is null`,
  );
  await makeDueCalls([payout]);
}

const stagesOf = async ({ accountId, id }: { accountId: string; id: string }) => {
  const row = await forAccount(accountId, (tx) => tx.call.findFirstOrThrow({ where: { accountId, id } }));
  return { sent: row.sentAt !== null, accepted: row.acceptedAt !== null, done: row.doneAt !== null, input: row.input };
};

test("what is accepted is not done: it is asked about until its end is known, and never sent again", async () => {
  const call = await aPayout();
  provider.answers.push({ status: "accepted" });
  await makeCallsAfter(0);
  expect(written).toEqual(['accepted {"amount":10000}']);
  expect(await stagesOf(call)).toEqual({ sent: true, accepted: true, done: false, input: { amount: 10_000 } });

  provider.answers.push(new Error("time-out"), null, { status: "accepted" }, { status: "paid" });
  for (let asked = 0; asked < 4; asked += 1) await makeCallsAfter(30 * 24 * 60); // also after a month
  expect(provider.found).toHaveLength(4);
  expect(provider.sent).toEqual([`${call.id} 10000`]);
  expect(written).toEqual(['accepted {"amount":10000}', 'paid {"amount":10000}']);
  expect(await stagesOf(call)).toEqual({ sent: true, accepted: true, done: true, input: null });
  await makeCallsAfter(0);
  expect(provider.found).toHaveLength(4);
});

test("what is found accepted again and again is asked about less and less", async () => {
  const { accountId, id } = await aPayout();
  const waits: number[] = [];
  for (const minutes of [0, 4, 36, 60 * 24]) {
    provider.answers.push({ status: "accepted" });
    await makeCallsAfter(minutes);
    const row = await forAccount(accountId, (tx) => tx.call.findFirstOrThrow({ where: { accountId, id } }));
    waits.push(Math.round((row.dueAt.getTime() - Date.now()) / 1000));
  }
  expect(waits).toEqual([10, 60, 600, 3_600].map((seconds) => expect.closeTo(seconds, -1)));
  await asSystem((tx) => tx.call.deleteMany({ where: { id } }));
});

test("an answer that is final at once needs no acceptance", async () => {
  const call = await aPayout();
  provider.answers.push({ status: "paid" });
  await makeCallsAfter(0);
  expect(written).toEqual(['paid {"amount":10000}']);
  expect(await stagesOf(call)).toEqual({ sent: true, accepted: false, done: true, input: null });
});

test("no answer is not a failure: the call is asked about under its id, and may be found accepted", async () => {
  const call = await aPayout();
  provider.answers.push(new Error("time-out"), { status: "accepted" }, { status: "paid" });
  for (let asked = 0; asked < 3; asked += 1) await makeCallsAfter(1);
  expect([provider.sent, provider.found]).toEqual([[`${call.id} 10000`], [call.id, call.id]]);
  expect(written).toEqual(['accepted {"amount":10000}', 'paid {"amount":10000}']);
});

test("what is counted as lost while it is accepted is asked about until its end is known", async () => {
  const again = { ...payout, isResentWhenLost: true };
  const call = await aPayout();
  await forAccount(call.accountId, (tx) => beginCall(tx, call));
  await finishCall(again, call, { status: "lost" });
  await finishCall(again, call, { status: "accepted" });
  provider.answers.push({ status: "paid" });
  await makeCallsAfter(1);
  expect([provider.sent, provider.found]).toEqual([[], [call.id]]);
  expect(written).toEqual(['accepted {"amount":10000}', 'paid {"amount":10000}']);
});

test("what the provider does not know after a quarter of an hour is lost, except where it was accepted", async () => {
  const [lost, accepted] = [await aPayout(), await aPayout()];
  provider.answers.push(new Error("time-out"), { status: "accepted" });
  await makeCallsAfter(0);
  await makeCallsAfter(16);
  const stages = [await stagesOf(lost), await stagesOf(accepted)];
  expect(stages.filter(({ done }) => done)).toHaveLength(1);
  expect(stages.find(({ done }) => done)?.accepted).toBe(false);
  expect(written.sort()).toEqual(['accepted {"amount":10000}', 'lost {"amount":10000}']);
});

test("two loops at once send a payout once, and write what was accepted once", async () => {
  const call = await aPayout();
  provider.answers.push({ status: "accepted" }, { status: "accepted" });
  await Promise.all([makeDueCalls([payout]), makeDueCalls([payout])]);
  expect(provider.sent).toEqual([`${call.id} 10000`]);
  expect(written).toEqual(['accepted {"amount":10000}']);
});

describe("a callback about a call", () => {
  beforeEach(() =>
    asSystem(async (tx) => {
      await tx.call.deleteMany(); // what other tests left open
      await tx.watch.deleteMany();
    }),
  );

  const watched = watchCalls(payout);
  const report = async (id: string) => {
    await storeCallbacks("bank", [{ eventId: newId(), kind: "payout", id, payload: {} }]);
    await askDue([watched]);
  };
  const left = () => asSystem((tx) => tx.watch.count({ where: { kind: "payout", askAt: { not: null } } }));

  test("asks at once what the loop would ask later, and what both hear is written once", async () => {
    const call = await aPayout();
    provider.answers.push({ status: "accepted" });
    await makeCallsAfter(0);
    provider.answers.push({ status: "accepted" }, { status: "paid" }, { status: "paid" });
    await report(call.id);
    expect(await stagesOf(call)).toMatchObject({ accepted: true, done: false });
    await Promise.all([report(call.id), makeCallsAfter(1)]);
    expect(written).toEqual(['accepted {"amount":10000}', 'paid {"amount":10000}']);
    expect(await stagesOf(call)).toMatchObject({ done: true });
    expect(provider.sent).toHaveLength(1);
    await report(call.id); // of one that is over nobody is asked
    expect(provider.found.length).toBeLessThanOrEqual(3);
    expect(await left()).toBe(0);
  });

  test("of an id that is none of ours, or another provider's, asks nobody and is over", async () => {
    const { accountId } = await makeAccount();
    const other = { accountId, id: newId(), kind: "payout", provider: "another bank", input: {} };
    await forAccount(accountId, (tx) => writeCalls(queryOf(tx), [other]));
    for (const id of ["P-1", newId(), other.id]) await report(id);
    expect(provider.found).toEqual([]);
    expect(await left()).toBe(0);
  });

  test("while the provider does not answer is asked about again", async () => {
    const call = await aPayout();
    provider.answers.push({ status: "accepted" });
    await makeCallsAfter(0);
    provider.answers.push(new Error("time-out"));
    await report(call.id);
    expect(await left()).toBe(1);
    provider.answers.push({ status: "paid" });
    await report(call.id);
    expect(await stagesOf(call)).toMatchObject({ done: true });
    expect(await left()).toBe(0);
  });
});

test("the outcome of a call may move the money of the owners that its kind names, and of nobody else", async () => {
  const { accountId } = await makeAccount();
  const kind = (owners?: string[]): CallKind<Answer> => ({
    ...{ ...payout, ...(owners && { owners: () => owners }) },
    write: async (query, { id }) => {
      const facts = rowsOf([
        {
          type: "demo_funded",
          sourceId: id,
          owners: { account: accountId, platform: PLATFORM },
          amounts: { amount: 1 },
        },
      ]);
      await query("", "select ledger_post($1::json)", [JSON.stringify(facts)]);
    },
  });
  const call = { accountId, id: newId() };
  await forAccount(accountId, (tx) => beginCall(tx, { ...call, kind: "payout", provider: "bank" }));
  await expect(finishCall(kind(), call, { status: "paid" })).rejects.toThrow(/scope/);
  await finishCall(kind([PLATFORM]), call, { status: "paid" });
  expect(await readBalances(accountId)).toMatchObject({ available: 1 });
});
