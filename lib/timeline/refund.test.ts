import { expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import type { Scope } from "@/lib/auth/scopes";
import { forAccount, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { requestDeposit } from "@/lib/deposits/request";
import { simulatePayment } from "@/lib/deposits/simulate";
import { newId } from "@/lib/ids";
import { rejectRefund } from "@/lib/refunds/reject";
import { requestRefund } from "@/lib/refunds/request";
import { RefundBody } from "@/lib/refunds/schema";
import { call, cashIn, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { allStaffRoles } from "@/lib/testing/staff";
import { timelineOf } from "@/lib/testing/subscriptions";
import { readTimeline, readTimelineForReview } from "@/lib/timeline/read";
import type { TimelineItem } from "@/lib/timeline/schema";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent } from "@/lib/webhooks/testing";

openRail();

/** A paid Pix sale with a refund of R$ 40.00 that Olga of the staff has refused. */
async function aRefused() {
  const made = await makeAccount({ available: 10_000 });
  const { account, accountId } = made;
  const { identifier: sale } = await requestDeposit(account, cashIn(), call());
  const { end_to_end_id: endToEndId } = await simulatePayment(account, { id: sale }, call());
  await completeDeposit({ provider: "simulator", endToEndId });
  const webhook = { title: "Loja", url: "http://localhost:9/?key=abc", event: "refund", trigger_all_products: true };
  await createWebhook(account, WebhookInput.parse(webhook), call());
  const body = RefundBody.parse({ reason: "fraud", amount: 40 });
  const { code } = (
    await actAs({ kind: "credential", id: made.clientId }, () => requestRefund(account, { ...body, id: sale }, call()))
  ).data;
  const id = newId();
  await prisma().user.create({
    data: { id, email: `${id}@example.com`, name: "Olga Prado", passwordHash: "none", staffRoles: allStaffRoles },
  });
  const refusal = { accountId, code, category: "other", reason: "Sem comprovante." } as const;
  await actAs({ kind: "staff", id }, () => rejectRefund(refusal, call()));
  await attempt(accountId);
  return { made, accountId, sale, code };
}

/** An attempt to deliver the first event of a refund. */
async function attempt(accountId: string) {
  const where = { accountId, subject: "refund" };
  const [event] = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" }, take: 1 }));
  await dispatchEvent({ accountId, eventId: event?.id ?? "" });
  const [delivery] = await deliveriesOf(accountId);
  const [id, deliveryId] = [newId(), delivery?.id ?? ""];
  const data = { id, accountId, deliveryId, attempt: 1, responseStatus: 200, durationMs: 9 };
  await forAccount(accountId, (tx) => tx.deliveryAttempt.create({ data }));
}

const told = (items: readonly TimelineItem[]) =>
  items.map(({ kind, title, status, detail }) => [kind, title, status, detail]);

const refund = [
  ["event", "refund.updated", "rejected", "40.00"],
  ["event", "refund.created", "pending", "40.00"],
  ["ledger", "refund_requested", "blocked", "40.00"],
  ["ledger", "refund_requested", "available", "-40.00"],
  ["ledger", "refund_released", "available", "40.00"],
  ["ledger", "refund_released", "blocked", "-40.00"],
];

test("a refund's timeline has its events with its amount and the lines of its money, and its sale's has them too", async () => {
  const { made, sale, code } = await aRefused();
  const own = told(await timelineOf(made, "refund", code));
  const sent = ["delivery", "refund.created", "200", "http://localhost:9/?key=abc"];
  expect(own).toHaveLength(refund.length + 1);
  expect(own).toEqual(expect.arrayContaining([...refund, sent]));
  const around = told(await timelineOf(made, "transaction", sale));
  expect(around).toEqual(expect.arrayContaining([...refund, ["event", "transaction.updated", "completed", null]]));
  const staff = (await timelineOf(made, "refund", code)).find(({ status }) => status === "rejected");
  expect(staff?.actor, "a seller is told that it was the operator, not who").toEqual({ kind: "staff", name: null });
});

test("a delivery names its event for who may see events, and for nobody else", async () => {
  const { made, accountId, code } = await aRefused();
  const [delivery] = await deliveriesOf(accountId);
  const eventOf = ({ data }: { data: readonly TimelineItem[] }) => data.find(({ kind }) => kind === "delivery")?.event;
  const read = (...scopes: Scope[]) => readTimeline(made.account, scopes, "refund", code);
  expect(eventOf(await read("refunds:read", "webhooks:read"))).toBe(delivery?.eventId);
  expect(eventOf(await read("refunds:read"))).toBeNull();
  expect(eventOf(await readTimelineForReview(accountId, "refund", code))).toBeNull();
});

test("who may not read refunds reads none in a sale's timeline", async () => {
  const { made, sale } = await aRefused();
  const { data } = await readTimeline(made.account, ["transactions:read"], "transaction", sale);
  expect(data.filter(({ title }) => title.startsWith("refund"))).toEqual([]);
  expect(data.some(({ title }) => title === "deposit_completed")).toBe(true);
});

test("the staff reads the timeline of the sale and of the refund, with the names of the staff", async () => {
  const { accountId, sale, code } = await aRefused();
  for (const [subject, id] of [
    ["transaction", sale],
    ["refund", code],
  ] as const) {
    const { data } = await readTimelineForReview(accountId, subject, id);
    const sent = ["delivery", "refund.created", "200", null];
    expect(told(data), "an address may hold a secret").toEqual(expect.arrayContaining([...refund, sent]));
    const rejected = data.find(({ title, status }) => title === "refund.updated" && status === "rejected");
    expect(rejected?.actor).toEqual({ kind: "staff", name: "Olga Prado" });
  }
});

test("nobody reads a timeline by the wrong account, by what is no code, or of another noun", async () => {
  const { accountId, sale, code } = await aRefused();
  const other = await makeAccount();
  const missing = { code: "refund_not_found" };
  await expect(timelineOf(other, "refund", code)).rejects.toMatchObject(missing);
  await expect(readTimelineForReview(other.accountId, "refund", code)).rejects.toMatchObject(missing);
  await expect(readTimelineForReview(other.accountId, "transaction", sale)).rejects.toMatchObject({
    code: "transaction_not_found",
  });
  await expect(timelineOf(other, "refund", sale)).rejects.toMatchObject({ code: "not_found" });
  for (const subject of ["subscription", "webhook", "product", "mail"])
    await expect(readTimelineForReview(accountId, subject, sale)).rejects.toMatchObject({ code: "not_found" });
});
