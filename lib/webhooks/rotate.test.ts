import { createHmac } from "node:crypto";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { limits } from "@/lib/limits";
import { call } from "@/lib/testing/make";
import { openReceiver, subscribed } from "@/lib/testing/webhooks";
import { rotateSecret } from "@/lib/webhooks/rotate";
import type { WebhookEvent } from "@/lib/webhooks/schema";
import {
  attemptsMade,
  deliveriesOf,
  deliverOnce,
  dispatchEvent,
  happen,
  letPass,
  makeSale,
  type Reply,
  webhookOf,
} from "@/lib/webhooks/testing";
import { updateWebhook } from "@/lib/webhooks/update";

/** An account with one webhook, and what its receiver gets of the next sale. */
async function rotating(event: WebhookEvent = "transaction", reply: Reply = { status: 200 }) {
  const { account, accountId, webhook, id, received } = await subscribed(event, reply);
  const rotate = (immediately = false) => rotateSecret(account, { id, immediately }, call());
  const sell = async () => {
    await dispatchEvent(await happen(await makeSale(accountId), "completed"));
    for (const { id: deliveryId } of await deliveriesOf(accountId)) await deliverOnce({ accountId, deliveryId });
    const got = received.at(-1);
    if (!got) throw new Error("Nothing was received");
    return { headers: got.headers as Record<string, string>, body: got.body };
  };
  return { account, accountId, webhook, id, rotate, sell };
}

type Got = Awaited<ReturnType<Awaited<ReturnType<typeof rotating>>["sell"]>>;

/** Whether a receiver that has only the package of Standard Webhooks and this secret takes a delivery. */
function takes({ secret }: { secret: string }, { headers, body }: Got): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

/** Whether the event contract's own signature is by this token. */
function isSignedBy({ token }: { token: string }, { headers, body }: Got): boolean {
  const { 1: t, 2: v1 } = /^t=(\d+),v1=(.*)$/.exec(headers["x-syncpay-signature"] ?? "") ?? [];
  return v1 === createHmac("sha256", token).update(`${t}.${body}`).digest("hex");
}

test("a receiver verifies every delivery with the secret that it has, at every moment of a rotation and of a second one amid it", async () => {
  const { accountId, webhook: first, rotate, sell } = await rotating();
  expect(takes(first, await sell())).toBe(true);

  const second = await rotate();
  const amid = await sell();
  expect([first, second].map((one) => takes(one, amid))).toEqual([true, true]);
  expect(isSignedBy(first, amid), "what carries one signature has the old one's").toBe(true);

  await letPass(accountId, 23);
  const third = await rotate();
  const amidBoth = await sell();
  expect([first, second, third].map((one) => takes(one, amidBoth))).toEqual([true, true, true]);
  expect(isSignedBy(first, amidBoth)).toBe(true);

  await letPass(accountId, 1.01);
  const amidOne = await sell();
  expect(
    [first, second, third].map((one) => takes(one, amidOne)),
    "the first ends when it was to end",
  ).toEqual([...[false, true, true]]);
  expect(isSignedBy(second, amidOne)).toBe(true);

  await letPass(accountId, 23);
  const after = await sell();
  expect([first, second, third].map((one) => takes(one, after))).toEqual([false, false, true]);
  expect(isSignedBy(third, after)).toBe(true);
});

test("a rotation with immediate effect ends every former secret", async () => {
  const { webhook: first, rotate, sell } = await rotating();
  const second = await rotate();
  const third = await rotate(true);
  expect(third.previous_token_expires_at).toBeNull();
  const got = await sell();
  expect([first, second, third].map((one) => takes(one, got))).toEqual([false, false, true]);
});

test("the cash contract's Bearer and the old format's call hold the old secret until its end", async () => {
  const { webhook: first, rotate, sell } = await rotating("cashin");
  const second = await rotate();
  const got = await sell();
  expect(got.headers.authorization).toBe(`Bearer ${first.token}`);
  expect([first, second].map((one) => takes(one, got))).toEqual([true, true]);

  const legacy = await rotating("cashin_legacy");
  const newest = await legacy.rotate();
  const postback = await legacy.sell();
  expect(JSON.parse(postback.body).data.status).toBe("PAID_OUT");
  expect(postback.headers.authorization).toBeUndefined();
  expect([legacy.webhook, newest].map((one) => takes(one, postback))).toEqual([true, true]);
});

test("two rotations at once give two secrets, and no secret before them ends", async () => {
  const { webhook: first, rotate, sell } = await rotating();
  const both = await Promise.all([rotate(), rotate()]);
  const got = await sell();
  expect([first, ...both].map((one) => takes(one, got))).toEqual([true, true, true]);
});

test("so many former secrets are in use at once and no more, until one ends or all do", async () => {
  const { accountId, rotate } = await rotating();
  for (let count = 0; count < limits.previousTokens; count += 1) await rotate();
  await expect(rotate()).rejects.toMatchObject({ code: "webhook_rotated_too_often" });
  await letPass(accountId, 24.01);
  await rotate();
  for (let count = 1; count < limits.previousTokens; count += 1) await rotate();
  await expect(rotate()).rejects.toMatchObject({ code: "webhook_rotated_too_often" });
  await rotate(true);
});

test("a webhook that moves to another origin is never signed by a former secret there", async () => {
  const { account, accountId, webhook, id, rotate, sell } = await rotating();
  const second = await rotate();
  const { url, received } = await openReceiver({ status: 200 });
  const moved = await updateWebhook(account, { id, url });
  await sell().catch(() => {});
  const got = received.at(-1);
  if (!got || !moved.secret) throw new Error("It did not move");
  const delivery = { headers: got.headers as Record<string, string>, body: got.body };
  expect([webhook, second, { secret: moved.secret }].map((one) => takes(one, delivery))).toEqual([false, false, true]);
  expect(await webhookOf(accountId, webhook.id)).toMatchObject({ previousTokenEndsAt: null });
});

test("an answer that is kept shows none of the secrets in use", async () => {
  const { accountId, webhook: first, rotate, sell } = await rotating("cashin", "echo");
  const second = await rotate();
  await sell();
  const [{ responseBody } = { responseBody: "" }] = await attemptsMade(accountId);
  expect(responseBody).toContain("Bearer ****");
  for (const { token } of [first, second]) expect(responseBody).not.toContain(token);
});
