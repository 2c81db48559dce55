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
