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

type Sold = { id: string; accountId: string; method: string; txid?: string };

const sale = (client: pg.Client, { id, accountId, method, txid }: Sold) =>
  client.query(
    `insert into transactions (id, account_id, method, txid, amount, fee, net, created_at, updated_at)
     values ($1, $2, $3::"TransactionMethod", $4, 100, 0, 100, now(), now())`,
    [id, accountId, method, txid ?? null],
  );

test("an upgrade gives each row its mode, method, sale and account, and leaves it to a person", async () => {
  const [live, sandbox, card, pix, real] = [newId(), newId(), newId(), newId(), newId()];
  const noted = [
    ["simulator", "E1", "t-sandbox", "amount_differs", platforms.sandbox],
    ["simulator", "E2", "t-nobody", "unknown_txid", platforms.sandbox],
    ["simulator", "E3", "t-live", "another_rail", platforms.sandbox],
    ["bank", "E4", "t-live", "already_paid", platforms.live],
    ["cards", card, null, "charged_too_late", platforms.sandbox],
  ] as const;
  const rows = await upgraded(
    "_unmatched",
    async (client) => {
      await account(client, live, "live");
      await account(client, sandbox, "sandbox");
      await sale(client, { id: pix, accountId: sandbox, method: "pix", txid: "t-sandbox" });
      await sale(client, { id: real, accountId: live, method: "pix", txid: "t-live" });
      await sale(client, { id: card, accountId: sandbox, method: "card" });
      for (const [provider, endToEndId, txid, reason, platform] of noted) {
        const id = newId();
        await client.query(
          `insert into unmatched_receipts (id, provider, end_to_end_id, txid, amount, reason) values ($1, $2, $3, $4, 100, $5)`,
          [id, provider, endToEndId, txid, reason],
        );
        const [type, clearing] =
          provider === "cards" ? ["card_unmatched_received", "card_clearing"] : ["unmatched_received", "clearing"];
        const posting = {
          ...{ id: newId(), account_id: platform, type, source_id: id, accounts: [platform, platform] },
          ...{ kinds: [clearing, "unmatched"], amounts: [-100, 100] },
        };
        await client.query("select ledger_post($1::json)", [JSON.stringify([posting])]);
      }
    },
    async (client) => {
      const { rows } = await client.query(
        `select end_to_end_id, account_id, mode, method, sale_id, status, return_at, received_at = created_at as is_dated
         from unmatched_receipts order by end_to_end_id = $1, end_to_end_id`,
        [card],
      );
      return rows;
    },
  );
  const left = { status: "open", return_at: null, is_dated: true };
  const test = { ...left, mode: "sandbox", method: "pix" };
  expect(rows).toEqual([
    { ...test, end_to_end_id: "E1", account_id: sandbox, sale_id: pix },
    { ...test, end_to_end_id: "E2", account_id: platforms.sandbox, sale_id: null },
    { ...test, end_to_end_id: "E3", account_id: platforms.sandbox, sale_id: null },
    { ...test, end_to_end_id: "E4", mode: "live", account_id: live, sale_id: real },
    { ...test, end_to_end_id: card, method: "card", account_id: sandbox, sale_id: card },
  ]);
});
