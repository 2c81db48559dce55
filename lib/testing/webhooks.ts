import { onTestFinished } from "vitest";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { createWebhook } from "@/lib/webhooks/create";
import { type WebhookEvent, WebhookInput } from "@/lib/webhooks/schema";
import { type Reply, receiver } from "@/lib/webhooks/testing";

/** A receiver that gives these replies and is closed with its test. */
export async function openReceiver(...replies: [Reply, ...Reply[]]) {
  const opened = await receiver(...replies);
  onTestFinished(opened.close);
  return opened;
}

/** Registers a webhook, by default at a port that refuses. */
export const register = (
  { account }: Pick<Made, "account">,
  url = "http://localhost:9/",
  event: WebhookEvent = "transaction",
) => createWebhook(account, WebhookInput.parse({ title: "Loja", url, event }), call());

/** An account with one webhook at a receiver that gives these replies. */
export async function subscribed(event: WebhookEvent, ...replies: [Reply, ...Reply[]]) {
  const { account, accountId } = await makeAccount();
  const { url, received, close } = await openReceiver(...replies);
  const webhook = await register({ account }, `${url}/hook`, event);
  return { account, accountId, webhook, id: String(webhook.id), url, received, close };
}
