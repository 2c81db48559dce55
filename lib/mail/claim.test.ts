import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { asSystem, type Query, transactionOverAll } from "@/lib/db";
import { newId } from "@/lib/ids";
import { claimMails } from "@/lib/mail/claim";
import { writeMails } from "@/lib/mail/write";
import { aMail } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { rowsRead } from "@/lib/testing/rows-read";

/** A claim takes what is due of all accounts. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
beforeEach(() => asSystem((tx) => tx.mail.deleteMany()));
afterAll(() => drop());

const all = { served: [], full: [] };
const write = (count: number, accountId: () => string | null) =>
  transactionOverAll((query) =>
    writeMails(
      query,
      Array.from({ length: count }, () => aMail({ accountId: accountId() })),
    ),
  );

test("of many who claim at the same moment none gets a mail that another has", async () => {
  await write(400, newId);
  const ids: string[] = [];
  for (let round = 0; round < 8; round += 1) {
    const claims = await Promise.all(Array.from({ length: 10 }, () => claimMails(newId(), 10, all)));
    ids.push(...claims.flatMap(({ claimed }) => claimed.map(({ id }) => id)));
  }
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(80);
});

test("of more accounts than one look serves, those that were served come last", async () => {
  const accounts = Array.from({ length: 130 }, () => newId());
  for (const account of accounts) await write(2, () => account);
  const served: string[] = [];
  for (let look = 0; look < 13; look += 1) {
    const { claimed } = await claimMails(newId(), 10, { served, full: [] });
    expect(claimed.some(({ turn }) => served.includes(turn))).toBe(false);
    served.push(...claimed.map(({ turn }) => turn));
  }
  expect(new Set(served).size).toBe(130);
});

test("an account that is full waits, and when the next mail is due is known", async () => {
  const [one, other] = [newId(), newId()];
  await write(3, () => one);
  await write(1, () => other);
  const { claimed } = await claimMails(newId(), 10, { served: [], full: [one] });
  expect(claimed.map(({ accountId }) => accountId)).toEqual([other]);
  await asSystem((tx) => tx.$executeRaw`update mails set next_attempt_at = now() + interval '1 hour'`);
  await asSystem((tx) => tx.$executeRaw`update mails set claimed_until = null`);
  const { claimed: none, nextMs } = await claimMails(newId(), 10, all);
  expect(none).toEqual([]);
  expect(nextMs).toBeGreaterThan(3_590_000);
  expect(nextMs).toBeLessThanOrEqual(3_600_000);
});

test("a claim reads a few mails of each account, however many wait", async () => {
  const [crowd, other] = [newId(), newId()];
  await write(5, () => other);
  await write(400, () => crowd);
  const claim = async () => {
    const { claimed } = await claimMails(newId(), 10, all);
    expect(claimed).toHaveLength(4);
  };
  // The plan of a worker that has claimed before: the first five are made for a table as small as this one.
  const asLater = (query: Query) => query("", "set local plan_cache_mode = force_generic_plan", []);
  expect(Math.max(...(await rowsRead("mails", [asLater, claim, claim])))).toBeLessThan(40);
});
