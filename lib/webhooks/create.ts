import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { seal } from "@/lib/vault";
import { presentCreated } from "@/lib/webhooks/present";
import type { WebhookInput } from "@/lib/webhooks/schema";
import { assertUrlAllowed } from "@/lib/webhooks/url";

/** What the vault authenticates with a webhook's token. */
export const tokenContext = (accountId: string) => `webhook:${accountId}`;

/** What is kept of a signing secret. */
export const tokenColumns = (accountId: string, token: string) => ({
  sealedToken: new Uint8Array(seal(token, tokenContext(accountId))),
  tokenPrefix: token.slice(0, 4),
  tokenLast4: token.slice(-4),
});

/**
 * Registers a receiver and shows its signing secret, once.
 * Throws `webhook_url_not_allowed` for an address that must not be called (see `lib/webhooks/url.ts`), and
 * `webhook_limit_reached` when the account has as many as `limits` allows.
 */
export async function createWebhook({ id: accountId, mode }: AccountContext, input: WebhookInput, idem?: Idem) {
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
      return presentCreated(row, token);
    }),
  );
}

/** Of two that are made at once the second counts the first, because it waits here. */
async function assertRoom(tx: Tx, accountId: string) {
  await tx.$queryRaw`select id from accounts where id = ${accountId}::uuid for no key update`;
  const count = await tx.webhook.count({ where: { accountId, deletedAt: null } });
  if (count >= limits.webhooks) throw new AppError("webhook_limit_reached");
}

/** From a random number on, so that it says nothing of other accounts. Rows of removed webhooks stay: none comes twice. */
async function nextId(tx: Tx, accountId: string): Promise<number> {
  const [row] = await tx.$queryRaw<{ id: number }[]>`
    select coalesce(max(id) + 1, 1 + floor(random() * 1000000000)::int) as id
    from webhooks where account_id = ${accountId}::uuid`;
  return row?.id ?? 1;
}
