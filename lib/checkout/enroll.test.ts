import { afterAll, beforeAll, expect, test } from "vitest";
import { asFirst, idemOf } from "@/lib/checkout/attempt";
import { enrollInPlan } from "@/lib/checkout/enroll";
import { renewPayment } from "@/lib/checkout/renew";
import { CheckoutEnroll } from "@/lib/checkout/schema";
import { forAccount } from "@/lib/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import { replayOf } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { makeAccount } from "@/lib/testing/make";
import { serveRail } from "@/lib/testing/rail";
import { aPlan, enrolled } from "@/lib/testing/subscriptions";

let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  server = await serveRail();
});
afterAll(() => server.close());

const visit = () => ({ ip: "203.0.113.9", userAgent: "Mozilla/5.0", requestId: newId() });

test("an attempt at a plan by Pix Automático gets its code, and its repeat the same one", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { billing_method: "pix_automatico" });
  const person = { name: "Ana Prado", email: "ana@example.com", document: "529.982.247-25" };
  const body = CheckoutEnroll.parse({ ...person, attempt: newId() });
  const first = await enrollInPlan(plan, body, visit());
  expect(first.data.pix_code).toMatch(/^000201/);
  const again = await enrollInPlan(plan, body, visit()).catch((error) => replayOf(error));
  expect(JSON.parse((again as { body: string }).body)).toEqual(first);
});

test("an attempt whose code the rail still owes says so, and not that another request is under way", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const attempt = newId();
  const { accountId } = made;
  const { key, requestHash } = idemOf(accountId, plan, attempt);
  const data = { accountId, key, requestHash: new Uint8Array(requestHash) };
  await forAccount(accountId, (tx) => tx.idempotencyKey.create({ data }));
  const failing = (code: ErrorCode) => asFirst(plan, attempt, () => Promise.reject(new AppError(code)));
  await expect(failing("deposit_pending")).rejects.toMatchObject({ code: "deposit_pending" });
  await expect(failing("checkout_changed")).rejects.toMatchObject({ code: "idempotency_in_progress" });
});

test("codes of one subscription that are asked for one after the other have one limit together", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const { sale } = await enrolled(made, plan);
  const second = await renewPayment(plan, sale, visit());
  const third = await renewPayment(plan, second, visit());
  await expect(renewPayment(plan, third, visit())).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});
