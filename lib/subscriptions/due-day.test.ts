import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { addDays, dayOf, endOf, startOf } from "@/lib/billing/calendar";
import { findPayment } from "@/lib/checkout/status";
import { forAccount } from "@/lib/db";
import { newId } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { makeShop } from "@/lib/testing/shop";
import {
  advance,
  anActive,
  aPlan,
  enrolled,
  enrolledByCard,
  eventsOf,
  nowOf,
  payCode,
  putCard,
  shown,
} from "@/lib/testing/subscriptions";
import { businessNow } from "@/lib/time/clock";

openRail();

const ZONE = "America/Sao_Paulo";
const dueDayOf = async (made: Made, token: string) => (await shown(made, token)).charges[0]?.due_date ?? "";
const todayOf = async (made: Made) => dayOf(businessNow((await nowOf(made)).account), ZONE);
const secondBefore = (instant: Date) => new Date(instant.getTime() - 1_000);

/** Moves the clock to an hour of the day on which the next charge is due. Returns that day. */
async function onDueDay(made: Made, token: string, hour: number) {
  const due = dayOf(new Date((await shown(made, token)).next_charge_at ?? ""), ZONE);
  await advance(made, startOf(due, ZONE, hour));
  return due;
}

test("a charge that is made on its due day is in time until that day ends, and its mail says that it is due today", async () => {
  const made = await makeAccount();
  const email = `${newId()}@example.com`;
  const plan = await aPlan(made, { billing_advance_days: 0, grace_period_days: 0 });
  const token = await anActive(made, plan, { email });
  const due = await onDueDay(made, token, 18);
  const open = await shown(made, token);
  expect(open).toMatchObject({ status: "active", overdue_since: null, charges: [{ status: "pending" }, {}] });
  expect(await dueDayOf(made, token)).toBe(due);
  expect(Date.parse(open.charges[0]?.expires_at ?? "")).toBe(endOf(due, ZONE).getTime());
  const written = (await lettersTo(email)).slice(2);
  expect(written).toMatchObject([{ template: "charge_due", isDueToday: true }]);
  await advance(made, secondBefore(endOf(due, ZONE)));
  await payCode(made, open.charges[0]?.payment.identifier ?? "");
  await advance(made, 1);
  const types = await eventsOf(made, token);
  expect(types).toContain("subscription.renewed");
  expect(types).not.toContain("subscription.overdue");
});

test("a code that is made in the last hours of its last day is valid on the next one too", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { grace_period_days: 0 });
  const validOf = async (hour: number) => {
    await advance(made, startOf(addDays(await todayOf(made), 1), ZONE, hour));
    const { token } = await enrolled(made, plan);
    return { today: await todayOf(made), token, until: (await shown(made, token)).charges[0]?.expires_at };
  };
  const early = await validOf(17);
  expect(Date.parse(early.until ?? "")).toBe(endOf(early.today, ZONE).getTime());
  const late = await validOf(23);
  expect(Date.parse(late.until ?? "")).toBe(endOf(addDays(late.today, 1), ZONE).getTime());
  await advance(made, secondBefore(endOf(addDays(late.today, 1), ZONE)));
  expect((await shown(made, late.token)).status).toBe("pending_first_payment");
});

test("a cycle that is not paid on its due day is overdue from the next midnight on, and not a second before", async () => {
  const made = await makeAccount();
  const token = await anActive(made, await aPlan(made));
  const due = await onDueDay(made, token, 0);
  await advance(made, secondBefore(endOf(due, ZONE)));
  expect(await shown(made, token)).toMatchObject({ status: "active", overdue_since: null });
  await advance(made, endOf(due, ZONE));
  const overdue = await shown(made, token);
  expect(overdue).toMatchObject({ status: "overdue", next_charge_at: null });
  const late = Date.parse(overdue.overdue_since ?? "") - endOf(due, ZONE).getTime();
  expect(late >= 0 && late < 60_000).toBe(true);
});

test("a card is charged as its due day begins, and tried again 2, 7 and 14 days after that day", async () => {
  const made = await makeShop();
  const { token } = await enrolledByCard(made, await aPlan(made, { billing_method: "credit_card" }));
  await putCard(made, token, "4000000000009995");
  const due = await onDueDay(made, token, 1);
  expect(await shown(made, token)).toMatchObject({ status: "overdue", retry_count: 0 });
  const events = () =>
    forAccount(made.accountId, (tx) =>
      tx.event.findMany({ where: { subjectId: token, type: "cycle.failed" }, orderBy: { id: "asc" } }),
    );
  await advance(made, 30);
  const failed = (await events()).map(({ occurredAt }) => dayOf(occurredAt, ZONE));
  expect(failed).toEqual([0, 2, 7, 14].map((days) => addDays(due, days)));
});

test("an open code that an older release let end as its due day begins is valid on that day once the database is migrated", async () => {
  const made = await makeAccount();
  const { accountId } = made;
  const plan = await aPlan(made, { grace_period_days: 0 });
  const token = await anActive(made, plan);
  await advance(made, 26);
  const due = await dueDayOf(made, token);
  const sale = (await shown(made, token)).charges[0]?.payment.identifier ?? "";
  const expiresAt = startOf(due, ZONE);
  await forAccount(accountId, async (tx) => {
    await tx.cycle.updateMany({ where: { subscriptionId: token, status: "pending" }, data: { expiresAt } });
    await tx.transaction.update({ where: { accountId_id: { accountId, id: sale } }, data: { expiresAt } });
    await tx.subscription.updateMany({ where: { id: token }, data: { actAt: expiresAt } });
  });
  const migration = readFileSync("prisma/migrations/20261125120000_codes_of_their_due_day/migration.sql", "utf8");
  const asNamedNow = migration.replaceAll("code_id", "code_sale_id"); // a later migration renamed the column
  await connected(ownerUrl(), (owner) => owner.query(asNamedNow));
  await advance(made, startOf(due, ZONE, 20));
  expect(await todayOf(made)).toBe(due);
  expect(await shown(made, token)).toMatchObject({ status: "active", charges: [{ status: "pending" }, {}] });
  expect((await findPayment(plan, sale)).status).toBe("pending");
  await advance(made, endOf(due, ZONE));
  expect(await shown(made, token)).toMatchObject({ status: "suspended", charges: [{ status: "expired" }, {}] });
});
