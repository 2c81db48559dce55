import type pg from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { upgraded } from "@/lib/testing/upgrade";

test("an upgrade makes watches of what waits in the inbox of the previous release, and keeps its callbacks", async () => {
  const found = await upgraded(
    "_watches",
    async (client) => {
      const add = (eventId: string, [column, id]: readonly [string, string], askAt: string | null, attempts = 0) =>
        client.query(
          `insert into rail_callbacks (provider, event_id, ${column}, payload, ask_at, attempts, paid_at, received_at)
          values ('simulator', $1, $2, '{"a": 1}', $3, $4, '2026-11-25T09:59:00Z', '2026-11-25T10:00:00Z')`,
          [eventId, id, askAt, attempts],
        );
      await add("evt_done", ["end_to_end_id", "E0"], null);
      await add("evt_E1", ["end_to_end_id", "E1"], "2026-11-25T10:00:40Z", 3);
      await add("asked:E2", ["end_to_end_id", "E2"], "2026-11-25T10:00:00Z");
      await add("asked:E3", ["end_to_end_id", "E3"], null, 12);
      await add("watch:RR1", ["mandate_id", "RR1"], "2026-11-26T10:00:00Z", 0);
      await add("evt_RR1_2", ["mandate_id", "RR1"], "2026-11-25T10:00:05Z", 1);
      await add("watch:tx1", ["txid", "tx1"], "2026-11-25T12:00:00Z", 0);
      await add("evt_tx2", ["txid", "tx2"], "2026-11-25T10:00:05Z", 1);
    },
    async (client) => {
      const watches = `select kind, id, to_char(ask_at at time zone 'utc', 'DD HH24:MI:SS') as ask, attempts,
          to_char(since at time zone 'utc', 'DD HH24:MI') as since, to_char(ends_at at time zone 'utc', 'MM-DD') as ends,
          unanswered_since is not null as unanswered
        from watches order by id`;
      const callbacks = "select event_id, kind, about_id, payload from callbacks order by about_id";
      return [(await client.query(watches)).rows, (await client.query(callbacks)).rows];
    },
  );
  const callback = { ends: "12-02", since: "25 10:00" };
  expect(found).toEqual([
    [
      { kind: "payment", id: "E1", ask: "25 10:00:40", attempts: 3, ...callback, unanswered: true },
      { kind: "payment", id: "E2", ask: "25 10:00:00", attempts: 0, ...callback, unanswered: false },
      { kind: "mandate", id: "RR1", ask: "25 10:00:05", attempts: 0, since: "26 10:00", ends: null, unanswered: true },
      { kind: "debit", id: "tx1", ask: "25 12:00:00", attempts: 0, since: "25 12:00", ends: null, unanswered: false },
      { kind: "debit", id: "tx2", ask: "25 10:00:05", attempts: 1, ...callback, unanswered: true },
    ],
    [
      { event_id: "evt_done", kind: "payment", about_id: "E0", payload: { a: 1 } },
      { event_id: "evt_E1", kind: "payment", about_id: "E1", payload: { a: 1 } },
      { event_id: "evt_RR1_2", kind: "mandate", about_id: "RR1", payload: { a: 1 } },
      { event_id: "evt_tx2", kind: "debit", about_id: "tx2", payload: { a: 1 } },
    ],
  ]);
});

test("an upgrade makes calls of the previous release's card charges, except of those that called no acquirer", async () => {
  const accountId = newId();
  const [answered, open, refused] = [newId(), newId(), newId()];
  const charge = `insert into card_charges (account_id, transaction_id, acquirer, fingerprint, document, email, ip, device,
      rule, ask_at, answered_at, created_at)
    values ($1, $2, $3, '\\x00', '', '', '', '{}', $4, '2026-11-01T10:01:00Z', $5, '2026-11-01T10:00:00Z')`;
  const calls = await upgraded(
    "_rail_calls",
    async (client) => {
      await client.query(charge, [accountId, answered, "cielo", null, "2026-11-01T10:00:02Z"]);
      await client.query(charge, [accountId, open, "simulator", null, null]);
      await client.query(charge, [accountId, refused, "simulator", "card_velocity", "2026-11-01T10:00:00Z"]);
    },
    async (client) => {
      expect((await client.query("select count(*)::int as count from card_charges")).rows).toEqual([{ count: 3 }]);
      return (await client.query("select * from rail_calls order by provider")).rows;
    },
  );
  const common = { account_id: accountId, kind: "card_charge", created_at: new Date("2026-11-01T10:00:00Z") };
  const ask_at = new Date("2026-11-01T10:01:00Z");
  expect(calls).toEqual([
    { ...common, id: answered, provider: "cielo", ask_at, answered_at: new Date("2026-11-01T10:00:02Z") },
    { ...common, id: open, provider: "simulator", ask_at, answered_at: null },
  ]);
});

test("an upgrade makes calls of what waits to be charged on cards, and of orders about debits and mandates", async () => {
  const [account, live] = [newId(), newId()];
  const [byCard, inLive, debit, mandate, subscription] = [newId(), newId(), newId(), newId(), newId()];
  const calls = await upgraded(
    "212000_calls",
    async (client) => {
      await insert(client, "accounts", { id: account, mode: "sandbox" });
      await insert(client, "accounts", { id: live, mode: "live", document: "2" });
      await insert(client, "waiting_charges", { account_id: account, transaction_id: byCard });
      await insert(client, "waiting_charges", { account_id: live, transaction_id: inLive });
      await insert(client, "subscriptions", { account_id: account, id: subscription, mandate_id: mandate });
      await insert(client, "mandates", { account_id: account, id: mandate, provider: "simulator" });
      await insert(client, "transactions", { account_id: account, id: debit, subscription_id: subscription });
      const order = { account_id: account, id: debit, ask_at: "2026-11-25T10:00:00Z" };
      await insert(client, "debit_orders", { ...order, kind: "instruct", attempts: 4 });
      await insert(client, "debit_orders", { ...order, kind: "retry", day: "2026-11-27" });
      await insert(client, "debit_orders", { ...order, id: mandate, kind: "cancel_mandate" });
    },
    async (client) => {
      const text = `select account_id, kind, provider, input, attempts, sent_at is null as written, done_at is null as open
        from calls order by kind, account_id`;
      return (await client.query(text)).rows;
    },
  );
  const written = { account_id: account, provider: "simulator", input: null, attempts: 0, written: true, open: true };
  expect(calls).toEqual([
    { ...written, kind: "cancel_mandate", input: { mandateId: mandate } },
    { ...written, kind: "cycle_charge" },
    { ...written, account_id: live, kind: "cycle_charge", provider: "cielo" },
    { ...written, kind: "instruct_debit", input: { saleId: debit }, attempts: 4 },
    { ...written, kind: "retry_debit", input: { saleId: debit, day: "2026-11-27" } },
  ]);
});

/** Inserts a row, and gives columns that need a value and are not named the least one of their type. */
async function insert(client: pg.Client, table: string, values: Record<string, unknown>) {
  const { rows } = await client.query<{ name: string; type: string; label: string | null }>(
    `select a.attname as name, format_type(a.atttypid, null) as type,
       (select enumlabel from pg_enum where enumtypid = a.atttypid order by enumsortorder limit 1) as label
     from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped and a.attnotnull and d.oid is null`,
    [table],
  );
  const least: Record<string, unknown> = {
    uuid: newId(),
    jsonb: "{}",
    "timestamp with time zone": new Date(),
    text: "",
  };
  const needed = Object.fromEntries(rows.map(({ name, type, label }) => [name, label ?? least[type] ?? 0]));
  const row = { ...needed, ...values };
  const names = Object.keys(row);
  const places = names.map((_, place) => `$${place + 1}`);
  await client.query(`set session_replication_role = replica`); // the rows that it belongs to are not of this test
  await client.query(
    `insert into ${table} (${names.join(", ")}) values (${places.join(", ")})`,
    names.map((name) => row[name as keyof typeof row]),
  );
}
