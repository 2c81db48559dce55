import { afterAll, beforeAll, expect, test } from "vitest";
import { enrollInPlan } from "@/lib/checkout/enroll";
import { renewPayment } from "@/lib/checkout/renew";
import { CheckoutEnroll } from "@/lib/checkout/schema";
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

test("codes of one subscription that are asked for one after the other have one limit together", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const { sale } = await enrolled(made, plan);
  const second = await renewPayment(plan, sale, visit());
  const third = await renewPayment(plan, second, visit());
  await expect(renewPayment(plan, third, visit())).rejects.toMatchObject({ code: "rate_limit_exceeded" });
});
