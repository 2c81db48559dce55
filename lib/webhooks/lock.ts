import type { Tx } from "@/lib/db";
import type { Webhook } from "@/prisma/client/client";

/**
 * Locks a webhook's row until the transaction ends and returns it, or null when there is none. The order everywhere is
 * the webhook first and then its deliveries, so that no two transactions wait for each other.
 */
export async function lockWebhook(tx: Tx, accountId: string, id: number): Promise<Webhook | null> {
  await tx.$queryRaw`select id from webhooks where account_id = ${accountId}::uuid and id = ${id} for update`;
  return tx.webhook.findUnique({ where: { accountId_id: { accountId, id } } });
}

/** How long a loop waits for the row of one of many webhooks. */
const SOON = "200ms";

/** The same for a loop that has others to go on with. Throws (`isLockTimeout`) where another transaction holds the row. */
export async function lockWebhookSoon(tx: Tx, accountId: string, id: number): Promise<Webhook | null> {
  await tx.$executeRaw`select set_config('lock_timeout', ${SOON}, true)`;
  return lockWebhook(tx, accountId, id);
}
