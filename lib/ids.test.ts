import fc from "fast-check";
import { expect, test } from "vitest";
import { isId, newAlphanumeric, newId, newSecret, sha256 } from "@/lib/ids";
import { businessNow, businessTime, iso, isoOrNull } from "@/lib/time/clock";

test("ids are UUIDs of version 7, all different, and sort by the millisecond in which they were made", () => {
  const started = Date.now();
  const ids = Array.from({ length: 10_000 }, () => newId());
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const timeOf = (id: string) => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const times = ids.map(timeOf);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  expect(Math.abs((times[0] ?? 0) - started)).toBeLessThan(5_000);
});

test("what is made within a millisecond sorts in the order in which it was made", () => {
  const at = new Date();
  for (const count of [2, 2_000, 2_000]) {
    const ids = Array.from({ length: count }, () => newId(at));
    expect(ids).toEqual(ids.toSorted());
    at.setTime(at.getTime() + 1);
  }
  const ids = Array.from({ length: 10_000 }, () => newId(at));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each([
  "",
  "x",
  "0190",
  "g1900000-0000-7000-8000-000000000001",
  " 01900000-0000-7000-8000-000000000001",
  "01900000000070008000000000000001",
])("%j is no id", (text) => expect(isId(text)).toBe(false));

test("an id may be written in upper case", () => expect([newId(), newId().toUpperCase()].every(isId)).toBe(true));

test("each secret is 256 new random bits, and only its SHA-256 is kept", () => {
  const secrets = Array.from({ length: 1_000 }, newSecret);
  expect(new Set(secrets).size).toBe(1_000);
  for (const secret of secrets) expect(Buffer.from(secret, "base64url")).toHaveLength(32);
  expect(sha256("abc").toString("hex")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

test("random letters and digits are as many as asked for, and each is equally likely", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 60 }), (length) => newAlphanumeric(length).length === length));
  const counts = new Map<string, number>();
  for (const letter of newAlphanumeric(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  for (const [letter, count] of counts) expect(Math.abs(count - 1_000), letter).toBeLessThan(250); // 8 sigma
});

test("times are written in UTC with microseconds", () => {
  expect(iso(new Date("2026-01-31T09:00:00.12-03:00"))).toBe("2026-01-31T12:00:00.120000Z");
  expect([isoOrNull(null), isoOrNull(undefined)]).toEqual([null, null]);
});

test("business time is real time ahead by the account's own offset", () => {
  const real = new Date("2026-01-31T12:00:00Z");
  expect(businessTime({ clockOffsetMs: 86_400_000n }, real).toISOString()).toBe("2026-02-01T12:00:00.000Z");
  expect(Math.abs(businessNow({ clockOffsetMs: 0 }).getTime() - Date.now())).toBeLessThan(1_000);
});
