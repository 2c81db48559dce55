import type { Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { mailTeam } from "@/lib/notifications/addressees";
import { DISABLE_AFTER_MS } from "@/lib/webhooks/schedule";
import type { Webhook } from "@/prisma/client/client";

type Template = "webhook_failing" | "webhook_disabled";

/**
 * Writes the mail about a webhook's failures to who of its account's team wants it, in the transaction that records the failure: once of each kind
 * for failures that began at the same instant, however many follow.
 */
export async function mailFailures(tx: Tx, webhook: Webhook, template: Template, failingSince: Date) {
  const { accountId, id, title, url: receiver } = webhook;
  const since = failingSince.toISOString();
  const url = `${env.APP_URL}/${accountId}/webhooks/${id}`;
  const disabledAt = new Date(failingSince.getTime() + DISABLE_AFTER_MS).toISOString();
  const facts = { title, receiver, since, url };
  await mailTeam(tx, "webhooks", accountId, {
    intent: `${template}:${accountId}:${id}:${since}`,
    content: template === "webhook_failing" ? { template, ...facts, disabledAt } : { template, ...facts },
  });
}
