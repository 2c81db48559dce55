import type { Tx } from "@/lib/db";
import type { Webhook } from "@/prisma/client/client";

/** A webhook's row, held until the transaction ends; locked before any of its deliveries. Null when there is none. */
export async function lockWebhook(tx: Tx, accountId: string, id: number): Promise<Webhook | null> {
  await tx.$queryRaw`select id from webhooks where account_id = ${accountId}::uuid and id = ${id} for update`;
  return tx.webhook.findUnique({ where: { accountId_id: { accountId, id } } });
}
