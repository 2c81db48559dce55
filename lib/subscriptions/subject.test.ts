import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { openEvent } from "@/lib/events/subjects";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { subscription as subject } from "@/lib/subscriptions/subject";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { advance, anActive, aPlan, enrolled } from "@/lib/testing/subscriptions";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent } from "@/lib/webhooks/testing";

openRail();

const eventsOf = ({ accountId }: Made, subjectId?: string) =>
  forAccount(accountId, (tx) =>
    tx.event.findMany({
      where: { accountId, subject: { in: ["transaction", "subscription"] }, ...(subjectId && { subjectId }) },
      orderBy: { id: "asc" },
    }),
  );

test("every event goes to the webhooks that are registered for its name on the wire, and to no others", async () => {
  const made = await makeAccount();
  const { token } = await enrolled(made, await aPlan(made));
  const [event] = await eventsOf(made, token);
  if (!event) throw new Error("An enrolment is an event");
  const routes = subject.names.flatMap((type) => openEvent({ ...event, type }).subscriptions);
  expect(routes.map(({ name }) => name)).toEqual([
    ...["assinatura_criada", "assinatura_ativada", "assinatura_em_atraso", "assinatura_suspensa"],
    ...["assinatura_cancelada", "assinatura_reativada", "assinatura_renovada", "assinatura_expirada"],
    ...["assinatura_plano_alterado", "cobranca_gerada", "cobranca_paga", "cobranca_falhou", "cobranca_retentativa"],
    ...["mandato_ativado", "mandato_cancelado"],
  ]);
  expect(routes.every(({ registration, name, contract }) => registration === name && contract === "event")).toBe(true);
});

test("a body is flat, and says what was so when the event happened", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const token = await anActive(made, plan);
  await advance(made, 34);
  const bodies = (await eventsOf(made, token)).map((event) => {
    const opened = openEvent(event);
    const [route] = opened.subscriptions;
    if (!route) throw new Error("Every event has a receiver");
    return opened.body(route) as Record<string, unknown>;
  });
  const [created, , paid, activated] = bodies;
  const flat = [
    "event",
    "event_id",
    "occurred_at",
    "api_version",
    "subscription_token",
    "plan_token",
    "status",
    "next_charge_at",
  ];
  expect(Object.keys(created ?? {})).toEqual(flat);
  expect(Object.keys(paid ?? {})).toEqual([...flat, "charge"]);
  expect(paid).toMatchObject({ subscription_token: token, plan_token: plan, status: "pending_first_payment" });
  expect(paid?.charge).toMatchObject({
    cycle_number: 1,
    amount: "49.90",
    status: "paid",
    due_date: expect.any(String),
  });
  expect(activated).toMatchObject({ event: "assinatura_ativada", status: "active", charge: { cycle_number: 1 } });
  const said = bodies.map(({ event, status }) => [event, status]);
  expect(said.slice(4)).toEqual([
    ["cobranca_gerada", "active"],
    ["assinatura_em_atraso", "overdue"],
    ["cobranca_retentativa", "overdue"],
    ["assinatura_suspensa", "suspended"],
  ]);
  const code = (body: Record<string, unknown> | undefined) =>
    body?.charge as { payment: { pix_code: string; identifier: string } };
  expect(code(bodies[4]).payment.pix_code).toMatch(/^000201/);
  expect(code(bodies[6]).payment.identifier).not.toBe(code(bodies[4]).payment.identifier);
});

test("a webhook for chosen products hears of subscriptions to them and of their sales, and of nothing else", async () => {
  const made = await makeAccount();
  const { accountId, account } = made;
  const [course, book] = [await aProduct(made, "Curso"), await aProduct(made, "Livro")];
  for (const event of ["assinatura_ativada", "cobranca_paga", "transaction"] as const) {
    await createWebhook(
      account,
      WebhookInput.parse({ ...hook(event), trigger_all_products: false, products: [course] }),
      call(),
    );
  }
  const chosen = await anActive(made, await aPlan(made, {}, course));
  const other = await anActive(made, await aPlan(made, {}, book));
  const alone = await anActive(made, await aPlan(made));
  for (const { id: eventId } of await eventsOf(made)) await dispatchEvent({ accountId, eventId });
  const sent = await deliveriesOf(accountId);
  expect(sent.map(({ event }) => event).sort()).toEqual([
    ...["assinatura_ativada", "cobranca_paga", "transaction.created", "transaction.updated"],
  ]);
  const bodies = await forAccount(accountId, (tx) => tx.deliveryBody.findMany());
  const all = bodies.map(({ body }) => body).join();
  expect([chosen, other, alone].map((token) => all.includes(token))).toEqual([true, false, false]);
});

const hook = (event: string) => ({ title: event, url: "https://receiver.invalid/hook", event });

const aProduct = async ({ account }: Made, name: string) =>
  (await createProduct(account, ProductInput.parse({ name, description: null }), call())).data.reference_id;
