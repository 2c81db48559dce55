import { expect, test } from "vitest";
import { asSystem } from "@/lib/db";
import { errors } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { readRefused } from "@/lib/refusals/read";
import { makeAccount } from "@/lib/testing/make";
import { iso } from "@/lib/time/clock";

/** A rule that no other test breaks. */
const RULE = "invoice_test_rule";

test("charges of live accounts that our rules refused are told by the rule, with how many accounts and when last", async () => {
  const [one, two, sandbox] = [
    await makeAccount({ mode: "live" }),
    await makeAccount({ mode: "live" }),
    await makeAccount(),
  ];
  const now = Date.now();
  const ago = (minutes: number) => new Date(now - minutes * 60_000);
  const refused = (accountId: string, minutes: number, changes: object = {}) => ({
    ...{ id: newId(), accountId, method: "POST", path: "/api/partner/v1/cash-in", status: 422, error: RULE },
    ...{ durationMs: 1, ip: "::1", createdAt: ago(minutes), ...changes },
  });
  const data = [
    ...[
      refused(one.accountId, 1),
      refused(one.accountId, 5),
      refused(two.accountId, 9, { path: "/s1/getTransaction/api" }),
    ],
    refused(two.accountId, 90),
    ...[refused(sandbox.accountId, 1), refused(one.accountId, 1, { method: "GET" })],
    refused(one.accountId, 1, { path: "/api/partner/v1/products" }),
    refused(one.accountId, 1, { status: 503 }),
    refused(one.accountId, 2, { error: "amount_below_minimum" }),
  ];
  await asSystem((tx) => tx.requestLog.createMany({ data }));
  const of = async (period: "hour" | "day", rule: string) =>
    (await readRefused({ period })).data.filter((one) => one.rule === rule);
  expect(await of("hour", RULE)).toEqual([
    { rule: RULE, message: null, requests: 3, accounts: 2, last_at: iso(ago(1)) },
  ]);
  expect(await of("day", RULE)).toMatchObject([{ requests: 4, accounts: 2 }]);
  expect(await of("hour", "amount_below_minimum")).toMatchObject([{ message: errors.amount_below_minimum[1] }]);
});
