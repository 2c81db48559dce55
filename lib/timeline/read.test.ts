import { expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { platforms } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { updateProduct } from "@/lib/products/update";
import { makeLink } from "@/lib/testing/checkout";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { advance, aPlan, enrolled, timelineOf } from "@/lib/testing/subscriptions";
import { readTimeline, readTimelineForStaff } from "@/lib/timeline/read";
import { entriesOfRecord } from "@/lib/timeline/record";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, dispatchEvent } from "@/lib/webhooks/testing";

openRail();

const DAY_MS = 86_400_000;

/** An attempt, in real time, to deliver the first event of a sale. */
async function attempt(made: Made, sale: string) {
  const { accountId } = made;
  const [created] = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId, subjectId: sale }, orderBy: { id: "asc" }, take: 1 }),
  );
  await dispatchEvent({ accountId, eventId: created?.id ?? "" });
  const [delivery] = await deliveriesOf(accountId);
  const data = {
    id: newId(),
    accountId,
    deliveryId: delivery?.id ?? "",
    attempt: 1,
    responseStatus: 200,
    durationMs: 9,
  };
  await forAccount(accountId, (tx) => tx.deliveryAttempt.create({ data }));
}

test("an attempt in real time after the clock was moved 40 days ahead is the newest, and says its real time", async () => {
  const made = await makeAccount();
  const input = { title: "Loja", url: "http://localhost:9/", event: "transaction", trigger_all_products: true };
  await createWebhook(made.account, WebhookInput.parse(input), call());
  const { token, sale } = await enrolled(made, await aPlan(made));
  await advance(made, 40);
  await attempt(made, sale);
  for (const items of [await timelineOf(made, "transaction", sale), await timelineOf(made, "subscription", token)]) {
    const [newest, ...others] = items;
    expect(newest?.kind).toBe("delivery");
    expect(Math.abs(Date.now() - Date.parse(newest?.real_at ?? ""))).toBeLessThan(60_000);
    const expired = others.find(({ title, status }) => title === "transaction.updated" && status === "expired");
    const businessTime = Date.parse(expired?.at ?? "");
    expect(businessTime, "by business and real time together it would be newer").toBeGreaterThan(
      Date.parse(newest?.real_at ?? "") + DAY_MS,
    );
    expect(Date.parse(expired?.real_at ?? "")).toBeLessThanOrEqual(Date.parse(newest?.real_at ?? ""));
    const created = others.find(({ title }) => title.endsWith(".created"));
    expect(created?.real_at, "before the clock was moved both times are the same").toBeNull();
  }
});

test("a timeline says who did each thing: a credential by its name, a rail by its own, the program by neither", async () => {
  const made = await makeAccount();
  const { sale } = await enrolled(made, await aPlan(made));
  const reported = () => advance(made, 10);
  await actAs({ kind: "rail", id: "simulator" }, reported);
  const events = (await timelineOf(made, "transaction", sale)).filter(({ kind }) => kind === "event");
  expect(events.map(({ actor }) => actor)).toEqual([
    { kind: "rail", name: "simulator" },
    { kind: "system", name: null },
  ]);
  const actor = { kind: "credential", id: made.clientId } as const;
  const { data } = await actAs(actor, () =>
    createProduct(made.account, ProductInput.parse({ name: "Revista" }), call()),
  );
  const [change] = await timelineOf(made, "product", data.reference_id);
  const credential = await forAccount(made.accountId, (tx) =>
    tx.credential.findUniqueOrThrow({ where: { clientId: made.clientId }, select: { name: true } }),
  );
  expect(change).toMatchObject({
    ...{ kind: "change", title: "product.created", detail: null },
    actor: { kind: "credential", name: credential.name },
  });
});

test("a product's timeline says what a change changed, from what to what, and has its plans' changes, by their names", async () => {
  const made = await makeAccount();
  const { data } = await createProduct(made.account, ProductInput.parse({ name: "Revista" }), call());
  await updateProduct(made.account, { id: data.reference_id, name: "Jornal" });
  await aPlan(made, { name: "Mensal" }, data.reference_id);
  const items = await timelineOf(made, "product", data.reference_id);
  expect(items.map(({ title, detail, changes }) => ({ title, detail, changes }))).toEqual([
    { title: "plan.created", detail: "Mensal", changes: [] },
    { title: "product.updated", detail: null, changes: [{ name: "name", before: "Revista", after: "Jornal" }] },
    { title: "product.created", detail: null, changes: [] },
  ]);
});

test("a payment link's timeline says that it was made", async () => {
  const made = await makeAccount();
  const token = await makeLink(made);
  expect((await timelineOf(made, "payment_link", token)).map(({ title }) => title)).toEqual(["payment_link.created"]);
});

test("another account's record has no timeline, nor has a noun without one, nor a caller who may not read it", async () => {
  const [mine, theirs] = [await makeAccount(), await makeAccount()];
  const { data } = await createProduct(theirs.account, ProductInput.parse({ name: "Revista" }), call());
  const { sale, token } = await enrolled(theirs, await aPlan(theirs));
  expect(await timelineOf(mine, "product", data.reference_id)).toEqual([]);
  expect(await timelineOf(mine, "webhook", "1")).toEqual([]);
  await expect(timelineOf(mine, "transaction", sale)).rejects.toMatchObject({ code: "transaction_not_found" });
  await expect(timelineOf(mine, "subscription", token)).rejects.toMatchObject({ code: "subscription_not_found" });
  await expect(timelineOf(mine, "session" as "transaction", newId())).rejects.toMatchObject({ code: "not_found" });
  await expect(readTimelineForStaff("product", data.reference_id)).rejects.toMatchObject({ code: "not_found" });
  const read = readTimeline(theirs.account, ["balance:read"], "product", data.reference_id);
  await expect(read).rejects.toMatchObject({ code: "insufficient_scope" });
});

test("around any record of an account are its events and the ledger lines of its facts, and nothing of another account's", async () => {
  const [made, other] = [await makeAccount(), await makeAccount()];
  const { accountId } = made;
  const { token: id } = await enrolled(made, await aPlan(made));
  const funded = {
    type: "demo_funded",
    sourceId: id,
    owners: { account: accountId, platform: platforms.sandbox },
    amounts: { amount: 500 },
  } as const;
  await forAccount([accountId, platforms.sandbox], (tx) => post(tx, funded));
  const around = (whose: Made, sources?: string[]) =>
    forAccount(whose.accountId, (tx) => entriesOfRecord(tx, { accountId: whose.accountId, id }, sources));
  const said = (await around(made)).map(({ kind, title, status, detail }) => [kind, title, status, detail]);
  expect(said).toContainEqual(["event", "subscription.created", "pending_first_payment", null]);
  expect(said).toContainEqual(["ledger", "demo_funded", "available", "5.00"]);
  expect((await around(made, [])).some(({ kind }) => kind === "ledger")).toBe(false);
  expect(await around(other)).toEqual([]);
});
