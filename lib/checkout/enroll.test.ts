import { generateCpf } from "@brazilian-utils/brazilian-utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asFirst, idemOf } from "@/lib/checkout/attempt";
import { enrollInPlan } from "@/lib/checkout/enroll";
import { renewPayment } from "@/lib/checkout/renew";
import { CheckoutEnroll } from "@/lib/checkout/schema";
import { forAccount } from "@/lib/db";
import { AppError, type ErrorCode } from "@/lib/errors";
import { replayOf } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { listSubscribers } from "@/lib/subscriptions/read";
import { SubscriberQuery } from "@/lib/subscriptions/schema";
import { call, makeAccount } from "@/lib/testing/make";
import { serveRail } from "@/lib/testing/rail";
import { anActive, aPlan, enrolled, payCode, shown } from "@/lib/testing/subscriptions";

let server: Awaited<ReturnType<typeof serveRail>>;
beforeAll(async () => {
  server = await serveRail();
});
afterAll(() => server.close());

const from = { ip: "203.0.113.9", userAgent: "Mozilla/5.0" };

test("an attempt at a plan by Pix Automático gets its code, and its repeat the same one", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made, { billing_method: "pix_automatico" });
  const person = { name: "Ana Prado", email: "ana@example.com", document: "529.982.247-25" };
  const body = CheckoutEnroll.parse({ ...person, attempt: newId() });
  const first = await enrollInPlan({ ...body, token: plan, ...from }, call());
  expect(first.data.pix_code).toMatch(/^000201/);
  const again = await enrollInPlan({ ...body, token: plan, ...from }, call()).catch((error) => replayOf(error));
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
  const second = await renewPayment({ id: sale, token: plan, ...from }, call());
  const third = await renewPayment({ id: second, token: plan, ...from }, call());
  await expect(renewPayment({ id: third, token: plan, ...from }, call())).rejects.toMatchObject({
    code: "rate_limit_exceeded",
  });
});

test("a visitor who names a known person changes nothing of them, and gets the answer that anybody gets", async () => {
  const made = await makeAccount();
  const plan = await aPlan(made);
  const known = await anActive(made, plan, { phone: "11987654321" });
  const peopleOf = async () => (await listSubscribers(made.accountId, SubscriberQuery.parse({}))).data;
  const [before] = await peopleOf();
  const visitor = { name: "Outra Pessoa", email: "outra@example.com", phone: "21912345678", attempt: newId() };
  const answerOf = (document: string) =>
    enrollInPlan({ ...CheckoutEnroll.parse({ ...visitor, attempt: newId(), document }), token: plan, ...from }, call());
  const [named, unknown] = [await answerOf("529.982.247-25"), await answerOf(generateCpf())];
  const shapeOf = ({ data }: typeof named) => Object.entries(data).map(([key, value]) => [key, typeof value]);
  expect(shapeOf(named)).toEqual(shapeOf(unknown));
  expect({ ...named.data, ...varying }).toEqual({ ...unknown.data, ...varying });
  await payCode(made, named.data.payment ?? "");

  const person = (await peopleOf()).find(({ id }) => id === before?.id);
  expect(person).toMatchObject({ name: before?.name, email: before?.email, phone: before?.phone });
  expect(await shown(made, known)).toMatchObject({ subscriber_name: "Ana Prado", subscriber_email: "ana@example.com" });
  expect(await shown(made, named.data.subscription_token ?? "")).toMatchObject({
    ...{ status: "active", subscriber_name: visitor.name, subscriber_email: visitor.email },
  });
  await enrolled(made, plan, { name: "Ana Maria Prado", email: "ana.maria@example.com" });
  expect((await peopleOf()).find(({ id }) => id === before?.id)).toMatchObject({ name: "Ana Maria Prado" });
});

/** What differs between any two answers. */
const varying = { payment: "", pix_code: "", subscription_token: "", expires_at: "" };
