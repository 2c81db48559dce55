import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { leadsTo, startsFrom } from "@/lib/states";
import { databaseNow } from "@/lib/webhooks/database-now";
import { findWebhook, presentDeliveries } from "@/lib/webhooks/read";
import { deliveryTransitions } from "@/lib/webhooks/states";

type Account = Pick<AccountContext, "id">;
type Named = { id: string; webhookId: string };

/**
 * Plans a new attempt at a delivery, with the same event id, whatever its status and even if its webhook is disabled.
 * It replaces a retry that was planned. Throws `webhook_not_found`, `delivery_not_found`.
 */
export async function resendDelivery({ id: accountId }: Account, { id, webhookId }: Named, { idem }: Intent) {
  const answer = await forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const webhook = await findWebhook(tx, accountId, webhookId);
      const deliveries = await tx.delivery.updateManyAndReturn({
        where: { accountId, id, webhookId: webhook.id, ...startsFrom(deliveryTransitions.resend) },
        data: { ...leadsTo(deliveryTransitions.resend), nextAttemptAt: await databaseNow(tx), url: webhook.url },
      });
      const [data] = await presentDeliveries(tx, accountId, deliveries);
      if (!data) throw new AppError("delivery_not_found");
      const after = { event: data.event, event_id: data.event_id, url: data.url };
      await recordChange(tx, { accountId, subject: "delivery", id, verb: "resent", after });
      return { data };
    }),
  );
  wake("deliveries");
  return answer;
}
