import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { type Attempting, choose, type DueDelivery, fullOf, PLACES } from "@/lib/webhooks/choose";

/** `count` deliveries that are due, each about a subject of its own. */
const due = (count: number, changes: Partial<DueDelivery> = {}): DueDelivery[] =>
  Array.from({ length: count }, () => ({
    accountId: "a",
    id: newId(),
    mode: "live",
    endpoint: "1",
    isFailing: false,
    isFirst: true,
    subjectId: newId(),
    ...changes,
  }));

const underWay = (count: number, changes: Partial<Attempting> = {}): Attempting[] =>
  due(count, changes).map((one) => ({ isSuspect: false, places: 4, ...one, ...changes }));

/** `count` endpoints of one account, each with one attempt under way. */
const spread = (count: number, changes: Partial<Attempting> = {}) =>
  Array.from({ length: count }, (_, at) => underWay(1, { endpoint: `spread ${at}`, ...changes })).flat();

const trusted = () => 4;
const fast = () => 32;
const unknown = () => 0;
const endpointsOf = (count: number, changes: Partial<DueDelivery> = {}) =>
  Array.from({ length: count }, (_, at) => due(1, { ...changes, endpoint: String(at) })).flat();

test("an account uses no more than its share of the free places, even alone", () => {
  const chosen = choose(endpointsOf(300), [], trusted);
  expect(chosen.length).toBeGreaterThan(20);
  expect(chosen.length).toBeLessThanOrEqual(PLACES / 8);
});

test("busy accounts leave places free in proportion, so that an account with nothing under way always finds one", () => {
  const accounts = [1, 6, 30, 60, 150];
  for (const [mode, count] of (["live", "sandbox"] as const).flatMap((mode) =>
    accounts.map((n) => [mode, n] as const),
  )) {
    const greedy = Array.from({ length: count }, (_, at) =>
      endpointsOf(50, { mode, accountId: `greedy ${at}` }),
    ).flat();
    let held: Attempting[] = [];
    for (let round = 0; round < 5; round += 1) held = [...held, ...choose(greedy, held, trusted)];
    const [newcomer] = choose(due(1, { mode, accountId: "new" }), held, trusted);
    expect(newcomer, `${count} ${mode} accounts hold ${held.length}`).toMatchObject({ accountId: "new" });
  }
});

test("all sandboxes together leave a quarter of the places to live accounts", () => {
  const many = (mode: "sandbox" | "live") =>
    Array.from({ length: 500 }, (_, at) => due(1, { mode, accountId: `${mode} ${at}` })).flat();
  const sandboxes = choose(many("sandbox"), [], trusted);
  expect(sandboxes).toHaveLength(192);
  expect(choose(many("live"), sandboxes, trusted)).toHaveLength(PLACES - 192);
});

test("the account with the fewest attempts under way goes first, and among equals the one that has been due longest", () => {
  const held = [...spread(3, { accountId: "busy" }), ...spread(PLACES - 5, { accountId: "other" })];
  const candidates = ["busy", "due first", "due next"].flatMap((accountId) => due(5, { accountId }));
  const chosen = choose(candidates, held, trusted);
  expect(chosen.map(({ accountId }) => accountId)).toEqual(["due first", "due next"]);
});

test("a trusted endpoint has the places that it earned, up to three eighths of its account's; one that is unknown, slow or failing has one", () => {
  expect(choose(due(50), [], trusted)).toHaveLength(4);
  const most = choose(due(50), [], fast);
  expect(most.length).toBeGreaterThan(10);
  expect(most.length).toBeLessThanOrEqual((PLACES / 8) * 0.375);
  const both = [...most, ...choose(due(50, { endpoint: "2" }), most, fast)];
  const siblings = choose(due(50, { endpoint: "3" }), both, fast);
  expect(siblings.length, "two that begin to hang leave the others room").toBeGreaterThan(3);
  expect(choose(due(20), [], unknown)).toHaveLength(1);
  expect(choose(due(20, { isFailing: true }), [], fast)).toHaveLength(1);
  expect(choose(due(20), underWay(1), unknown)).toHaveLength(0);
  expect(choose(due(20), underWay(3), trusted)).toHaveLength(1);
});

test("suspect endpoints share half of their account's places, and the other half is for trusted ones", () => {
  const suspects = choose(endpointsOf(50, { isFailing: true }), [], trusted);
  expect(suspects.length).toBeGreaterThan(5);
  expect(suspects.length).toBeLessThanOrEqual(PLACES / 16);
  expect(choose(due(1, { endpoint: "healthy" }), suspects, trusted)).toHaveLength(1);
  expect(choose(due(1, { endpoint: "another", isFailing: true }), suspects, trusted)).toHaveLength(0);
});

test("first attempts at one endpoint about one subject go one after the other; retries and other endpoints do not wait", () => {
  const about = { subjectId: "sale" };
  const [created] = choose(due(2, about), [], trusted);
  expect(choose(due(2, about), [], trusted)).toHaveLength(1);
  if (!created) throw new Error("none was chosen");
  expect(choose(due(1, about), [created], trusted)).toHaveLength(0);
  expect(choose(due(1, { ...about, endpoint: "2" }), [created], trusted)).toHaveLength(1);
  expect(choose(due(1, { ...about, isFirst: false }), [created], trusted)).toHaveLength(1);
});

test("accounts and endpoints that are full are known before the next search", () => {
  expect(fullOf([])).toEqual({ accounts: [], endpoints: [], areSandboxesFull: false });
  expect(fullOf(spread(192, { mode: "sandbox" }))).toMatchObject({ areSandboxesFull: true });
  const held = [...underWay(1, { accountId: "b", isSuspect: true }), ...spread(40, { accountId: "full" })];
  const full = fullOf(held);
  expect(full.accounts).toEqual(["full"]);
  expect(full.endpoints).toEqual(["b 1"]);
});
