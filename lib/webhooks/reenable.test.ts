import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { call, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { createWebhook } from "@/lib/webhooks/create";
import { disableWebhook, planBacklogs } from "@/lib/webhooks/reenable";
import { removeWebhook } from "@/lib/webhooks/remove";
import { WebhookInput } from "@/lib/webhooks/schema";
import { webhookOf } from "@/lib/webhooks/testing";
import { updateWebhook } from "@/lib/webhooks/update";

/** These tests leave thousands of due deliveries, so they have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const MANY = 12_000;
const DAY = 86_400_000;

/** A webhook with `MANY` deliveries, and another with as many that nothing may touch. */
async function backlog() {
  const { account, accountId } = await makeAccount();
  const input = WebhookInput.parse({ title: "Loja", url: "http://localhost:9/", event: "transaction" });
  const [webhook, bystander] = [
    await createWebhook(account, input, call()),
    await createWebhook(account, input, call()),
  ];
  for (const { id } of [webhook, bystander]) {
    await forAccount(
      accountId,
      (tx) => tx.$executeRaw`
        insert into deliveries (id, account_id, webhook_id, contract, event, event_id, url)
        select gen_random_uuid(), ${accountId}::uuid, ${id}, 'event', 'transaction.updated', gen_random_uuid(), '-'
        from generate_series(1, ${MANY})`,
    );
  }
  return { account, accountId, id: webhook.id, bystander: bystander.id };
}

async function disable(accountId: string, id: number) {
  const at = new Date();
  const failing = { failuresInRow: 12, failingSince: new Date(at.getTime() - DAY) };
  await forAccount(accountId, async (tx) => {
    const where = { accountId_id: { accountId, id } };
    await disableWebhook(tx, await tx.webhook.update({ where, data: failing }), at, at);
  });
}

test("twelve thousand deliveries are parked, planned again in chunks, and ended", {
  timeout: 120_000,
}, async () => {
  const { account, accountId, id, bystander } = await backlog();
  const open = async (webhookId: number, planned: boolean) =>
    forAccount(accountId, (tx) =>
      tx.delivery.count({ where: { webhookId, status: "pending", nextAttemptAt: planned ? { not: null } : null } }),
    );

  await disable(accountId, id);
  expect([await open(id, false), await open(id, true)]).toEqual([MANY, 0]);

  await updateWebhook(account, { id: String(id) });
  expect(await open(id, true), "the first chunk is planned at once").toBe(5_000);
  expect(await webhookOf(accountId, id)).toMatchObject({ disabledAt: null, failuresInRow: 0, waking: true });
  while (await planBacklogs());
  expect([await open(id, false), await open(id, true)]).toEqual([0, MANY]);
  expect(await webhookOf(accountId, id)).toMatchObject({ waking: false });

  await removeWebhook({ id: accountId }, { id: String(id) });
  expect([await open(id, false), await open(id, true)]).toEqual([0, 0]);
  expect(await open(bystander, false)).toBe(MANY);
});

test("deliveries that waited for more than 14 days are ended when the webhook is enabled, and not sent", async () => {
  const { account, accountId, id } = await backlog();
  await disable(accountId, id);
  await forAccount(accountId, (tx) =>
    tx.delivery.updateMany({ where: { webhookId: id }, data: { createdAt: new Date(Date.now() - 15 * DAY) } }),
  );
  await updateWebhook(account, { id: String(id) });
  while (await planBacklogs());
  const left = await forAccount(accountId, (tx) => tx.delivery.groupBy({ by: ["status"], where: { webhookId: id } }));
  expect(left).toEqual([{ status: "exhausted" }]);
});

test("a webhook that is disabled again while its backlog is planned keeps what still waits", async () => {
  const { account, accountId, id } = await backlog();
  await disable(accountId, id);
  await updateWebhook(account, { id: String(id) });
  await disable(accountId, id);
  while (await planBacklogs());
  const planned = await forAccount(accountId, (tx) =>
    tx.delivery.count({ where: { webhookId: id, nextAttemptAt: { not: null } } }),
  );
  expect(planned).toBe(0);
});
