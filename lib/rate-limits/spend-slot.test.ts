import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mintToken } from "@/lib/credentials/mint-token";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { authenticate } from "@/lib/http/authenticate";
import { newId } from "@/lib/ids";
import { limitKey } from "@/lib/net/address";
import { countSlots, giveBackSlot, spendSlot } from "@/lib/rate-limits/spend-slot";
import { makeAccount } from "@/lib/testing/make";

/** The connections of two processes. */
let pools: pg.Pool[];
beforeAll(() => {
  pools = [0, 1].map(() => new pg.Pool({ connectionString: env.DATABASE_PROGRAM_URL, max: 12 }));
});
afterAll(() => Promise.all(pools.map((pool) => pool.end())));

const { PARTNER_LIMIT_PER_MINUTE, AUTH_TOKEN_LIMIT_PER_MINUTE } = env;
afterEach(() => Object.assign(env, { PARTNER_LIMIT_PER_MINUTE, AUTH_TOKEN_LIMIT_PER_MINUTE }));

type Outcome = { granted: number; wait_ms: number };

async function spend(key: string, allowed: number, wanted = 1, pool = pools[0]): Promise<Outcome> {
  const text = "select granted, wait_ms from take_slots($1, $2, $3)";
  const { rows } = (await pool?.query<Outcome>(text, [key, allowed, wanted])) ?? {};
  return rows?.[0] ?? { granted: -1, wait_ms: -1 };
}

/** `senders` calls at once, half of them in each process. */
const race = (senders: number, key: string, allowed: number, wanted = 1) =>
  Promise.all(Array.from({ length: senders }, (_, at) => spend(key, allowed, wanted, pools[at % 2])));

const grantedOf = (outcomes: Outcome[]) => outcomes.reduce((sum, { granted }) => sum + granted, 0);

/** Moves a key's counts `seconds` into the past. */
const age = (key: string, seconds: number) =>
  runPrepared(
    "t-age",
    `update rate_limits set second = second - $2::bigint,
      hits = array(select h - ($2::bigint << 20) from unnest(hits) h order by h) where key = $1`,
    [key, seconds],
  );

describe("64 senders at once in two processes", () => {
  test.each([1, 20, 60, 63, 64, 100])("are let in exactly %d times", async (allowed) => {
    const key = newId();
    const outcomes = await race(64, key, allowed);
    expect(grantedOf(outcomes)).toBe(Math.min(64, allowed));
    for (const { granted, wait_ms } of outcomes) expect(granted === 1 ? wait_ms === 0 : wait_ms > 0).toBe(true);
    if (allowed <= 64) expect(grantedOf(await race(64, key, allowed))).toBe(0);
  });

  test("who spend slots in bulk get what is left, never one more", async () => {
    const key = newId();
    const outcomes = await race(64, key, 100, 3);
    expect(grantedOf(outcomes)).toBe(100);
    expect(outcomes.filter(({ granted }) => granted === 3)).toHaveLength(33);
    expect(outcomes.filter(({ granted }) => granted === 1)).toHaveLength(1);
  });

  test("are counted exactly when many keys race", async () => {
    const keys = [newId(), newId(), newId(), newId()];
    const races = await Promise.all(keys.map((key, at) => race(16, key, 5 + at)));
    expect(races.map(grantedOf)).toEqual([5, 6, 7, 8]);
  });
});

test("a limit holds in any 60 s, and all its slots are free again after the time to wait", async () => {
  const key = newId();
  expect(grantedOf(await race(3, key, 5))).toBe(3);
  await age(key, 30);
  expect(grantedOf(await race(4, key, 5))).toBe(2);
  const { wait_ms } = await spend(key, 5);
  expect(wait_ms).toBeGreaterThan(20_000);
  expect(wait_ms).toBeLessThanOrEqual(31_000);
  await age(key, 25); // 55 s after the first three: still within their minute
  expect((await spend(key, 5)).granted).toBe(0);
  await age(key, 7);
  expect(grantedOf(await race(6, key, 5))).toBe(3); // the two that came in between still count
  await age(key, 61);
  expect(grantedOf(await race(9, key, 5))).toBe(5);
});

test("a refusal spends no slot, so that more refused calls do not lengthen the wait", async () => {
  const key = newId();
  await race(2, key, 2);
  await age(key, 40);
  await race(20, key, 2);
  const { wait_ms } = await spend(key, 2);
  expect(wait_ms).toBeLessThanOrEqual(21_000);
  await age(key, 21);
  expect((await spend(key, 2)).granted).toBe(1);
});

test("a limit of 0 refuses every call with a time to wait", async () => {
  expect(await spend(newId(), 0)).toMatchObject({ granted: 0, wait_ms: expect.any(Number) });
});

test("the refusal carries its code and the time to wait; another caller and another limit are not touched", async () => {
  Object.assign(env, { AUTH_TOKEN_LIMIT_PER_MINUTE: 2 });
  const key = newId();
  await spendSlot("auth-token", key);
  await spendSlot("auth-token", key);
  const refusal = await spendSlot("auth-token", key).catch((error) => error);
  expect(refusal).toMatchObject({ code: "rate_limit_exceeded" });
  expect(refusal.options.retryAfterMs).toBeGreaterThanOrEqual(1_000);
  expect(refusal.options.retryAfterMs).toBeLessThanOrEqual(61_000);
  await spendSlot("auth-token", newId());
  await spendSlot("sign-in", key);
});

const requestBy = (token: string) =>
  new Request("http://localhost/api/partner/v1/balance", { headers: { authorization: `Bearer ${token}` } });

test("all tokens of an account share one limit, which is exact though callers are looked up together", async () => {
  const seller = await makeAccount();
  const pair = { client_id: seller.clientId, client_secret: seller.clientSecret };
  const { access_token: second } = await mintToken({ ...pair, ip: "127.0.0.1" });
  const other = await makeAccount();
  Object.assign(env, { PARTNER_LIMIT_PER_MINUTE: 25 });
  const tokens = Array.from({ length: 90 }, (_, at) => [seller.token, second, other.token][at % 3] ?? "");
  const outcomes = await Promise.allSettled(tokens.map((token) => authenticate(requestBy(token), "account")));
  const admitted = (whose: string[]) =>
    outcomes.filter(({ status }, at) => status === "fulfilled" && whose.includes(tokens[at] ?? "")).length;
  expect([admitted([seller.token, second]), admitted([other.token])]).toEqual([25, 25]);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") {
      expect(outcome.reason).toMatchObject({ code: "rate_limit_exceeded" });
      expect(outcome.reason.options.retryAfterMs).toBeGreaterThanOrEqual(1_000);
    }
  }
});

test("callers who are looked up together are each identified, and an unknown token identifies nobody", async () => {
  const sellers = await Promise.all(Array.from({ length: 4 }, () => makeAccount()));
  const tokens = Array.from({ length: 60 }, (_, at) => sellers[at % 5]?.token ?? `unknown ${at}`);
  const outcomes = await Promise.allSettled(tokens.map((token) => authenticate(requestBy(token), "account")));
  for (const [at, outcome] of outcomes.entries()) {
    const seller = sellers[at % 5];
    if (outcome.status === "fulfilled")
      expect(outcome.value).toMatchObject({ account: seller?.account, clientId: seller?.clientId });
    else expect([seller, outcome.reason.code]).toEqual([undefined, "unauthorized"]);
  }
});

test.each([
  ["192.0.2.7", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:db8:1:2:ffff::1", "2001:db8:1:2"],
  ["2001:db8:1:3::1", "2001:db8:1:3"],
])("%s is counted as %s: an IPv6 caller by its /64", (address, key) => expect(limitKey(address)).toBe(key));

test("a slot that is given back may be spent again, also after others were refused, and none that was not spent", async () => {
  const id = newId();
  const [limit, key] = ["refund-lookup", `refund-lookup:${id}`] as const;
  const left = () => countSlots(limit, id);
  await giveBackSlot(limit, id);
  for (const _ of [1, 2]) await spendSlot(limit, id);
  await giveBackSlot(limit, id);
  expect(await left()).toBe(1);
  await age(key, 2);
  expect(await spend(key, 1)).toMatchObject({ granted: 0 });
  for (const _ of [1, 2, 3]) await giveBackSlot(limit, id);
  expect(await left()).toBe(0);
  expect(await spend(key, 1)).toMatchObject({ granted: 1 });
});
