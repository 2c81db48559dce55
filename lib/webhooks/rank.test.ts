import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { MAX_RANK, noteAttempt, rankOf } from "@/lib/webhooks/rank";
import type { DeliveryError } from "@/lib/webhooks/states";

const fresh = (webhookId: number | null = 1) => {
  const accountId = newId();
  const endpoint = {
    accountId,
    webhookId: webhookId && Math.floor(Math.random() * 2 ** 31),
    url: "https://a.example/",
  };
  const answer = (durationMs: number, error: DeliveryError | null = null) =>
    noteAttempt(endpoint, { status: null, body: null, retryAfterMs: null, error, durationMs });
  return { endpoint, answer, rank: (isFailing = false) => rankOf(endpoint, isFailing) };
};

test("the lanes are open to a webhook that answers well, and to one not tried yet", () => {
  const { answer, rank } = fresh();
  expect(rank()).toBe(0);
  answer(80);
  expect(rank()).toBe(0);
});

test("one that fails at once is of the first rank however often, one that hangs ever further back", () => {
  const [quick, hanging] = [fresh(), fresh()];
  const ranks: number[] = [];
  for (let time = 0; time < 100; time += 1) {
    quick.answer(5, "connection_refused");
    hanging.answer(10_000, "timeout");
    ranks.push(hanging.rank(true));
  }
  expect(quick.rank(true)).toBe(1);
  expect([ranks[0], ranks[1], ranks[6], ranks[99]]).toEqual([4, 5, 7, MAX_RANK]);
});

test("good answers that are slow hold up others too", () => {
  const { answer, rank } = fresh();
  answer(9_000);
  expect(rank()).toBe(4);
});

test("however long it hung, a few good answers open the lanes again; one among time-outs does not", () => {
  const { answer, rank } = fresh();
  for (let time = 0; time < 500; time += 1) answer(10_000, "timeout");
  const ranks = [1, 2, 3, 4, 5].map(() => {
    answer(80);
    return rank();
  });
  expect(ranks).toEqual([4, 3, 2, 1, 0]);
  answer(10_000, "timeout");
  answer(80);
  expect(rank()).toBeGreaterThan(0);
});

test("a callback's host must be tried before the lanes are open to it", () => {
  const { answer, rank, endpoint } = fresh(null);
  expect(rank()).toBe(1);
  answer(80);
  expect(rank()).toBe(0);
  expect(rankOf({ ...endpoint, url: "https://b.example/" }, false)).toBe(1);
  expect(rankOf({ ...endpoint, accountId: newId() }, false)).toBe(1);
});
