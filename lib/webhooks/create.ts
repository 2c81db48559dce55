import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { assertUrlAllowed } from "@/lib/receivers/url";
import { encrypt } from "@/lib/vault/vault";
import { presentCreated, presentWebhook } from "@/lib/webhooks/present";
import type { WebhookInput } from "@/lib/webhooks/schema";

/** The context that the vault binds a webhook's encrypted token to. */
export const tokenContext = (accountId: string) => `webhook:${accountId}`;

/** The columns that hold a signing secret. */
export const tokenColumns = (accountId: string, token: string) => ({
  sealedToken: new Uint8Array(encrypt(token, tokenContext(accountId))),
  tokenPrefix: token.slice(0, 4),
  tokenLast4: token.slice(-4),
});

/**
 * Registers a receiver and returns its signing secret, which is shown only this once.
 * Throws `webhook_url_not_allowed` for an address that must not be called (`lib/receivers/url.ts`), and
 * `webhook_limit_reached` when the account has as many as `limits` allows.
 */
export async function createWebhook({ id: accountId, mode }: AccountContext, input: WebhookInput, { idem }: Intent) {
  await assertUrlAllowed(input.url, mode);
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      await assertRoom(tx, accountId);
      const token = newSecret();
      const row = await tx.webhook.create({
        data: {
          id: await nextId(tx, accountId),
          accountId,
          title: input.title,
          url: input.url,
          event: input.event,
          triggerAllProducts: input.trigger_all_products,
          products: input.products,
          ...tokenColumns(accountId, token),
        },
      });
      const after = presentWebhook(row);
      await recordChange(tx, { accountId, subject: "webhook", id: row.id, verb: "created", after });
      return presentCreated(row, token);
    }),
  );
}

async function assertRoom(tx: Tx, accountId: string) {
  await lockAccount(tx, accountId);
  const count = await tx.webhook.count({ where: { accountId, deletedAt: null } });
  if (count >= limits.webhooks) throw new AppError("webhook_limit_reached");
}

/**
 * Ids start at a random number, so that they reveal nothing about other accounts. Rows of removed webhooks stay, so no
 * id comes twice.
 */
async function nextId(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    select coalesce(max(id) + 1, 1 + floor(random() * 1000000000)::int) as id
    from webhooks where account_id = ${accountId}::uuid`;
  return row?.id ?? 1;
}
