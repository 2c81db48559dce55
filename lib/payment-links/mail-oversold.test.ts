import { expect, test } from "vitest";
import { forAccount, queryOf } from "@/lib/db";
import type { Happened } from "@/lib/events/consume";
import { mailOversold } from "@/lib/payment-links/mail-oversold";
import { PaymentLinkChange } from "@/lib/payment-links/schema";
import { updatePaymentLink } from "@/lib/payment-links/update";
import { makeLink, payAs, settleAs } from "@/lib/testing/checkout";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";

openRail();

/** Gives all that happened to the consumer, as an outbox that is read twice does. */
const hear = ({ accountId }: Made) =>
  forAccount(accountId, async (tx) => {
    const events = await tx.event.findMany({ where: { accountId }, orderBy: { id: "asc" } });
    await mailOversold(queryOf(tx), events as Happened[]);
  });
const oversoldOf = ({ accountId }: Made) =>
  forAccount(accountId, (tx) => tx.mail.count({ where: { accountId, template: "link_oversold" } }));

test("a link that is paid more often than its limit, by a code that was paid late, is mailed once for that limit", async () => {
  const seller = await makeAccount();
  const token = await makeLink(seller, { max_payments: 1 });
  const first = await payAs(token);
  const second = await payAs(token, { replaces: first.data.payment });
  await settleAs(seller, second.data.payment);
  await hear(seller);
  expect(await oversoldOf(seller)).toBe(0);
  await settleAs(seller, first.data.payment);
  for (const _ of [1, 2]) await hear(seller);
  expect(await oversoldOf(seller)).toBe(1);
  const change = { ...PaymentLinkChange.parse({ max_payments: 3 }), id: token };
  await updatePaymentLink(seller.account, change, call());
  await hear(seller);
  expect(await oversoldOf(seller)).toBe(1);
});
