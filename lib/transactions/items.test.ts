import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { upgraded } from "@/lib/testing/upgrade";
import { presentTransactionV2 } from "@/lib/transactions/present";
import { saleOf } from "@/lib/transactions/sale";

test("what a sale was made of is kept in cents, by the sale and by its event, and answered in reais", async () => {
  const seller = await makeAccount();
  const input = PlanInput.parse({ name: "Mensal", amount: 19.9, billing_method: "qr_code" });
  const plan_token = (await createPlan(seller.account, input, call())).data.token;
  const { identifier: id } = await requestDeposit(seller.account, cashIn({ amount: 19.9, plan_token }), call());
  const [sale, event] = await forAccount(seller.accountId, async (tx) => [
    await tx.transaction.findFirstOrThrow({ where: { id } }),
    await tx.event.findFirstOrThrow({ where: { subjectId: id } }),
  ]);
  const kept = {
    ...{ reference_id: plan_token, name: "Mensal" },
    items: [{ reference_id: plan_token, name: "Mensal", type: "plan", amount: 1_990 }],
  };
  expect(sale.checkout).toEqual(kept);
  expect(event.record).toMatchObject({ checkout: kept });
  expect(presentTransactionV2(sale).checkout.items).toMatchObject([{ amount: 19.9 }]);
});

const NOTHING = { reference_id: null, name: null, items: [] };

test("an upgrade converts what earlier releases kept in reais, and the answers stay the same", async () => {
  const accountId = newId();
  const ids = [newId(), newId(), newId()];
  const item = (amount: number) => ({ reference_id: ids[0], name: "Mensal", type: "plan", amount });
  const checkouts = [
    { reference_id: ids[0], name: "Clube", items: [item(19.9), item(0.29), item(9_999_999_999.99)] },
    { reference_id: ids[0], name: "Clube", items: [] },
    null,
  ];
  const read = await upgraded(
    "_items_in_cents",
    async (client) => {
      await client.query(
        `insert into accounts (id, mode, status, name, email, document, pix_fee_fixed, pix_fee_minimum, card_fee_fixed,
          card_fee_minimum, card_settlement_days, storage_limit_mb, time_zone)
        values ($1, 'sandbox', 'approved', 'A', 'a@example.com', '1', 0, 0, 0, 0, 30, 1024, 'America/Sao_Paulo')`,
        [accountId],
      );
      for (const [place, id] of ids.entries()) {
        const checkout = checkouts[place] && JSON.stringify(checkouts[place]);
        await client.query(
          `insert into transactions (id, account_id, method, amount, fee, net, checkout, created_at, updated_at)
          values ($1, $2, 'pix', 1990, 0, 1990, $3, now(), now())`,
          [id, accountId, checkout],
        );
        await client.query(
          `insert into events (id, account_id, type, subject, subject_id, data, record, occurred_at)
          select $1, account_id, 'transaction.created', 'transaction', id, '{}', jsonb_strip_nulls(to_jsonb(t)), now()
          from transactions t where id = $2`,
          [newId(), id],
        );
      }
    },
    async (client) => {
      const rows = async (text: string) => (await client.query(text)).rows.map(({ sale }) => saleOf(sale));
      return [
        await rows("select to_jsonb(t) as sale from transactions t order by id"),
        await rows("select record as sale from events order by subject_id"),
      ];
    },
  );
  for (const sales of read) {
    expect(sales.map(({ checkout }) => checkout ?? null)).toEqual([
      { ...checkouts[0], items: [item(1_990), item(29), item(999_999_999_999)] },
      ...checkouts.slice(1),
    ]);
    expect(sales.map((sale) => presentTransactionV2(sale).checkout)).toEqual([checkouts[0], checkouts[1], NOTHING]);
  }
});
