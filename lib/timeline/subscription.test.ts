import { expect, test } from "vitest";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { pauseSubscription } from "@/lib/subscriptions/pause";
import { resendCharge } from "@/lib/subscriptions/resend";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import {
  advance,
  anActive,
  aPlan,
  enrolled,
  enrolledByCard,
  nowOf,
  payCode,
  putCard,
  shown,
  timelineOf,
} from "@/lib/testing/subscriptions";
import { inOrder, plain } from "@/lib/timeline/entry";
import { latestOf } from "@/lib/timeline/subscription";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent } from "@/lib/webhooks/testing";

openRail();

const timeline = (made: Made, token: string) => timelineOf(made, "subscription", token);

test("events of a subscription and of its sales, and the mails about its charges, are one list, newest first", async () => {
  const made = await makeAccount();
  const items = await timeline(made, await anActive(made, await aPlan(made)));
  expect(items.map(({ kind, title }) => `${kind} ${title}`)).toEqual(
    expect.arrayContaining([
      "event subscription.created",
      "event subscription.activated",
      "event cycle.paid",
      "sale transaction.created",
      "sale transaction.updated",
      "mail charge_paid",
    ]),
  );
  expect(items.filter(({ title }) => title.startsWith("cycle.")).every((item) => item.cycle_number === 1)).toBe(true);
  const ids = items.map(({ id }) => id);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(items.every(({ real_at }) => real_at === null)).toBe(true);
});

test("the card that is charged is shown with its time, and only it once it has replaced another", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { billing_method: "credit_card" });
  const { token } = await enrolledByCard(made, plan);
  const cards = async () => (await timeline(made, token)).filter(({ kind }) => kind === "card");
  expect(await cards()).toMatchObject([{ title: "visa", detail: "1111" }]);
  await putCard(made, token, "5555555555554444");
  expect(await cards()).toMatchObject([{ title: "mastercard", detail: "4444", at: expect.any(String) }]);
  expect((await shown(made, token)).card).toMatchObject({ brand: "mastercard", last4: "4444" });
  const { token: byCode } = await enrolled(made, await aPlan(made));
  expect((await shown(made, byCode)).card).toBeNull();
});

test("a clock that was moved ahead shuffles nothing: the account's times follow one another, with the real ones beside", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await advance(made, 31);
  const items = await timeline(made, token);
  const times = items.flatMap(({ at }) => (at ? [Date.parse(at)] : []));
  for (const [place, at] of times.entries()) expect(at).toBeGreaterThanOrEqual((times[place + 1] ?? 0) - 1_000);
  const [overdue, created] = ["subscription.overdue", "subscription.created"].map((name) =>
    items.find(({ title }) => title === name),
  );
  expect(Date.parse(overdue?.at ?? "") - Date.parse(overdue?.real_at ?? "")).toBeGreaterThan(29 * 86_400_000);
  expect(created?.real_at).toBeNull();
  const mails = items.filter(({ kind }) => kind === "mail");
  expect(
    mails.map(({ at }) => at),
    "a mail has the account's date, too",
  ).not.toContain(null);
  const reminder = mails.find(({ title, cycle_number }) => title === "charge_due" && cycle_number === 2);
  expect(Date.parse(reminder?.at ?? "") - Date.parse(reminder?.real_at ?? "")).toBeGreaterThan(26 * 86_400_000);
});

test("the attempts of webhooks are in it, beside the charge that they tell of", async () => {
  const made = await makeAccount();
  const input = { title: "Loja", url: "http://localhost:9/", event: "cobranca_gerada", trigger_all_products: true };
  await createWebhook(made.account, WebhookInput.parse(input), call());
  const { token } = await enrolled(made, await aPlan(made));
  const { accountId } = made;
  const eventId = (await timeline(made, token)).find(({ title }) => title === "cycle.created")?.id ?? "";
  await dispatchEvent({ accountId, eventId });
  const [delivery] = await deliveriesOf(accountId);
  const attempt = {
    id: newId(),
    accountId,
    deliveryId: delivery?.id ?? "",
    attempt: 1,
    responseStatus: 503,
    durationMs: 9,
  };
  await forAccount(accountId, (tx) => tx.deliveryAttempt.create({ data: attempt }));
  expect((await timeline(made, token))[0]).toMatchObject({
    ...{ kind: "delivery", title: "cobranca_gerada", cycle_number: 1, detail: "http://localhost:9/" },
    status: "503",
  });
});

test("at most the latest two hundred items are answered", () => {
  const id = (n: number) => `0199${String(n).padStart(4, "0")}-0000-7000-8000-000000000000`;
  const entry = (n: number) => ({
    ...{ ...plain, id: id(n), kind: "event" as const, title: "cycle.paid", status: "active", detail: null },
    ...{ cycle_number: n, occurredAt: new Date(), real: new Date(0) },
  });
  const items = inOrder(latestOf(Array.from({ length: 250 }, (_, n) => entry(n))), 0);
  expect(items).toHaveLength(200);
  expect([items[0]?.cycle_number, items.at(-1)?.cycle_number]).toEqual([249, 50]);
});

test("a mail of before its time was kept has the account's time only where the clock cannot have been moved around it", () => {
  const id = (ms: number) =>
    `${ms
      .toString(16)
      .padStart(12, "0")
      .replace(/(.{8})/, "$1-")}-7000-8000-000000000000`;
  const base = { ...plain, title: "", status: null, detail: null, real: new Date(0) };
  const mail = (ms: number) => ({ ...base, id: id(ms), kind: "mail" as const, occurredAt: null });
  const event = (ms: number, ahead: number) => ({
    ...{ ...base, id: id(ms), kind: "event" as const, occurredAt: new Date(ms + ahead) },
  });
  const day = 86_400_000;
  const items = inOrder(latestOf([mail(1_000), event(2_000, 0), mail(3_000), event(4_000, day), mail(5_000)]), day);
  expect(items.map(({ at, real_at }) => [at && Date.parse(at), real_at && Date.parse(real_at)])).toEqual([
    [5_000 + day, 5_000],
    [4_000 + day, 4_000],
    [null, 3_000],
    [2_000, null],
    [1_000, null],
  ]);
});

test("of one person's two subscriptions each shows its own mails, and the money that came for its own charges", async () => {
  const made = await makeAccount();
  const { token, sale } = await enrolled(made, await aPlan(made));
  const other = await anActive(made, await aPlan(made));
  const { charge } = await resendCharge(made.account, { id: token }, call());
  for (const code of [charge.payment.identifier ?? "", sale]) await payCode(made, code);
  const [own, others] = [await timeline(made, token), await timeline(made, other)];
  const about = (items: typeof own, wanted: string) => items.filter(({ kind }) => kind === wanted);
  expect(about(own, "unmatched")).toMatchObject([{ title: "cycle_already_paid", cycle_number: 1, sale }]);
  expect(about(others, "unmatched")).toEqual([]);
  const mails = [own, others].map((items) => about(items, "mail").map(({ id }) => id));
  for (const ids of mails) expect(ids.length).toBeGreaterThan(0);
  expect(new Set(mails.flat()).size).toBe(mails.flat().length);
});

test("another account's subscription is not found", async () => {
  const [mine, theirs] = [await makeAccount(), await makeAccount()];
  const { token } = await enrolled(theirs, await aPlan(theirs));
  const missing = { code: "subscription_not_found" };
  await expect(timeline(mine, token)).rejects.toMatchObject(missing);
  await expect(timeline(mine, newId())).rejects.toMatchObject(missing);
});

test("a pause is told from a suspension of who does not pay", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  await pauseSubscription((await nowOf(made)).account, { id: token, reason: null, resumes_at: null }, call());
  const unpaid = await anActive(made, await aPlan(made, { grace_period_days: 1 }), { document: "111.444.777-35" });
  await advance(made, 32);
  const suspended = async (of: string) =>
    (await timeline(made, of)).find(({ title }) => title === "subscription.suspended")?.status;
  expect([await suspended(token), await suspended(unpaid)]).toEqual(["paused", "suspended"]);
});
