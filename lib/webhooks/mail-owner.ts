import { readAddressee } from "@/lib/accounts/addressee";
import type { Tx } from "@/lib/db";
import { env } from "@/lib/env";
import { writeMail } from "@/lib/mail/write";
import { DISABLE_AFTER_MS } from "@/lib/webhooks/schedule";
import type { Webhook } from "@/prisma/client/client";

type Template = "webhook_failing" | "webhook_disabled";

/**
 * Writes the mail about a webhook's failures to its account, in the transaction that records the failure: once of each kind
 * for failures that began at the same instant, however many follow.
 */
export async function mailOwner(tx: Tx, webhook: Webhook, template: Template, failingSince: Date) {
  const { accountId, id, title, url: receiver } = webhook;
  const since = failingSince.toISOString();
  const url = `${env.APP_URL.replace(/\/+$/, "")}/${accountId}/webhooks/${id}`;
  const disabledAt = new Date(failingSince.getTime() + DISABLE_AFTER_MS).toISOString();
  const facts = { title, receiver, since, url };
  await writeMail(tx, {
    ...(await readAddressee(tx, accountId)),
    intent: `${template}:${accountId}:${id}:${since}`,
    content: template === "webhook_failing" ? { template, ...facts, disabledAt } : { template, ...facts },
  });
}
