import type pg from "pg";
import { expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { upgraded } from "@/lib/testing/upgrade";

const account = (client: pg.Client, id: string, mode: string) =>
  client.query(
    `insert into accounts (id, mode, status, name, email, document, pix_fee_fixed, pix_fee_minimum, card_fee_fixed,
      card_fee_minimum, card_settlement_days, storage_limit_mb, time_zone)
    values ($1, $2, 'approved', 'A', 'a@example.com', '1', 0, 0, 0, 0, 30, 1024, 'America/Sao_Paulo')`,
    [id, mode],
  );

/** Posts as the release before did: both modes' other side is the one platform. */
async function posted(
  client: pg.Client,
  type: string,
  moves: readonly [from: string[], to: string[], cents: number][],
) {
  const sides = moves.flatMap(([from, to, cents]) => [
    [...from, -cents],
    [...to, cents],
  ]);
  const column = (at: number) => sides.map((side) => side[at]);
  const fact = { id: newId(), account_id: moves[0]?.[1][0], type, source_id: newId() };
  await client.query("select ledger_post($1)", [
    JSON.stringify([{ ...fact, accounts: column(0), kinds: column(1), amounts: column(2) }]),
  ]);
}

const balances = `select account_id, kind, sum(amount)::int as amount from (
    select account_id, kind, amount from ledger_snapshots union all select account_id, kind, amount from ledger_tail
  ) known group by 1, 2 having sum(amount) <> 0 order by 1, 2`;
const entries =
  "select account_id, kind, sum(amount)::int as amount from ledger_entries group by 1, 2 having sum(amount) <> 0 order by 1, 2";

test("an upgrade gives each mode a platform of its own by one posting, and every seller's balance stays", async () => {
  const [live, sandbox] = [newId(), newId()];
  const old = platforms.live;
  const found = await upgraded(
    "_platforms_by_mode",
    async (client) => {
      await account(client, live, "live");
      await account(client, sandbox, "sandbox");
      await posted(client, "demo_funded", [[[old, "demo"], [sandbox, "available"], 1_000]]);
      await posted(client, "deposit_completed", [
        [[old, "clearing"], [sandbox, "available"], 9_800],
        [[old, "clearing"], [old, "fees"], 200],
      ]);
      await client.query("select ledger_fold(3)");
      await posted(client, "deposit_completed", [
        [[old, "clearing"], [live, "available"], 495],
        [[old, "clearing"], [old, "fees"], 5],
      ]);
    },
    async (client) => {
      const { rows } = await client.query(entries);
      expect((await client.query(balances)).rows, "balances are what the entries say").toEqual(rows);
      expect(
        (await client.query("select count(*)::int as n from ledger_postings where type = 'modes_separated'")).rows,
      ).toEqual([{ n: 1 }]);
      return rows.map(({ account_id, kind, amount }) => [account_id, kind, amount]);
    },
  );
  expect(found).toEqual(
    [
      [old, "clearing", -500],
      [old, "fees", 5],
      [platforms.sandbox, "clearing", -10_000],
      [platforms.sandbox, "demo", -1_000],
      [platforms.sandbox, "fees", 200],
      [live, "available", 495],
      [sandbox, "available", 10_800],
    ].sort(),
  );
});

test("an upgrade posts the money that was only noted, out of the clearing of its rail and mode", async () => {
  const [live, sandbox, sale] = [newId(), newId(), newId()];
  const found = await upgraded(
    "_unmatched_money_is_posted",
    async (client) => {
      await account(client, live, "live");
      await account(client, sandbox, "sandbox");
      await client.query(
        `insert into transactions (id, account_id, method, amount, fee, net, created_at, updated_at)
        values ($1, $2, 'card', 100, 0, 100, now(), now())`,
        [sale, sandbox],
      );
      await client.query(
        `insert into unmatched_receipts (provider, end_to_end_id, amount, reason) values
          ('simulator', 'E1', 300, 'unknown_txid'), ('cards', $1, 100, 'charged_too_late'), ('bank', 'E2', 70, 'unknown_txid')`,
        [sale],
      );
    },
    async (client) => {
      const { rows } = await client.query(entries);
      const unposted = `select count(*)::int as n from unmatched_receipts u where not exists (
        select from ledger_postings p where p.source_id = u.id and p.type like '%unmatched_received')`;
      expect((await client.query(unposted)).rows).toEqual([{ n: 0 }]);
      return rows.map(({ account_id, kind, amount }) => [account_id, kind, amount]);
    },
  );
  expect(found).toEqual([
    [platforms.live, "clearing", -70],
    [platforms.live, "unmatched", 70],
    [platforms.sandbox, "card_clearing", -100],
    [platforms.sandbox, "clearing", -300],
    [platforms.sandbox, "unmatched", 400],
  ]);
});
