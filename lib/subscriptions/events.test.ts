import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { eventsConsumer } from "@/lib/events/consume";
import { call, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveRail } from "@/lib/testing/rail";
import { anActive, aPlan } from "@/lib/testing/subscriptions";
import { createWebhook } from "@/lib/webhooks/create";
import { dispatchEvents } from "@/lib/webhooks/dispatch";
import { WebhookInput } from "@/lib/webhooks/schema";

/** Who consumes events takes those of every account. */
let drop: () => Promise<void>;
let rail: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  rail = await serveRail();
});
afterAll(async () => {
  await rail.close();
  await drop();
});

test("webhooks get the events of subscriptions by their names on the wire, with a flat body", async () => {
  const made = await makeAccount();
  const input = { title: "Loja", url: "http://localhost:9/", event: "assinatura_ativada" };
  await createWebhook(made.account, WebhookInput.parse(input), call());
  const plan = await aPlan(made);
  const token = await anActive(made, plan);
  const { consume } = eventsConsumer({ deliveries: dispatchEvents });
  while (await consume());
  const bodies = await forAccount(made.accountId, (tx) => tx.deliveryBody.findMany());
  expect(bodies.map(({ event }) => event)).toEqual(["assinatura_ativada"]);
  expect(JSON.parse(bodies[0]?.body ?? "")).toMatchObject({
    ...{ event: "assinatura_ativada", api_version: "2026-08-16", subscription_token: token, plan_token: plan },
    ...{ status: "active", next_charge_at: expect.stringMatching(/000Z$/) },
    charge: { cycle_number: 1, amount: "49.90", status: "paid" },
  });
});
