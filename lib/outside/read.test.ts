import { afterAll, beforeAll, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { listUnanswered } from "@/lib/outside/read";
import { makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";

/** The staff's list is over all accounts, so it has a database of its own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const asOwner = (text: string, values: unknown[] = []) => connected(ownerUrl(), (client) => client.query(text, values));

const first = { page: 1, per_page: 25 };

test("what no provider has answered for a day is a line for the staff; so is what was accepted and has not ended; what is young, done or answered is none", async () => {
  const { accountId, account } = await makeAccount();
  const [unanswered, written, accepted, ...others] = Array.from({ length: 6 }, newId);
  const call = (id: string | undefined, hours: number, more = "null, null") =>
    asOwner(
      `insert into calls (account_id, id, kind, provider, created_at, sent_at, accepted_at, done_at)
      select $1, $2, 'deposit', 'simulator', t.at, case when $4 then t.at end, ${more}
      from (select now() - $3 * interval '1 hour' as at) t`,
      [accountId, id, hours, id !== written],
    );
  await call(unanswered, 30);
  await call(written, 40);
  await call(accepted, 30, "t.at + interval '2 hours', null");
  await call(others[0], 23);
  await call(others[1], 30, "now(), null");
  await call(others[2], 30, "null, now()");
  await asOwner(`insert into watches (provider, kind, id, unanswered_since) values
    ('simulator', 'payment', 'E1', now() - interval '50 hours'), ('simulator', 'payment', 'E2', now() - interval '1 hour'),
    ('simulator', 'payment', 'E3', null)`);
  const { data, meta } = await listUnanswered(first);
  expect(data.map(({ what, id }) => [what, id])).toEqual([
    ["watch", "E1"],
    ["call", written],
    ["call", unanswered],
    ["call", accepted],
  ]);
  expect(data.map((one) => one.account)).toEqual([null, ...Array(3).fill({ id: accountId, name: account.name })]);
  expect(meta).toMatchObject({ total: 4, last_page: 1 });
  const second = await listUnanswered({ page: 2, per_page: 2 });
  expect(second.data.map(({ id }) => id)).toEqual([unanswered, accepted]);
});
