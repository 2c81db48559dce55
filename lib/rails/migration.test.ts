import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { upgraded } from "@/lib/testing/upgrade";

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
