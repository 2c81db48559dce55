import type { AccountContext } from "@/lib/accounts/context";
import { statement } from "@/lib/db";
import type { CashInBody } from "@/lib/deposits/schema";
import { AppError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sharesOf } from "@/lib/money";

/** One recipient's part of a sale as it was agreed when the sale was made; `amount` in cents, `id` its posting's source. */
export type Share = { id: string; account_id: string; name: string; percentage: number; amount: number };

type Recipient = { client_id: string; account_id: string; name: string };

const RECIPIENTS = `select c.client_id, a.id as account_id, a.name
  from credentials c cross join lateral account_in_scope(c.account_id) a
  where c.client_id = any($1::uuid[]) and c.revoked_at is null and a.mode::text = $2 and a.status <> 'suspended'`;

/**
 * Who gets what of `net` cents. A recipient is named by any client id of its account that was not revoked (operations.md
 * section 1), of the same mode: a sandbox never pays a live account. Throws `split_exceeds_total`, `split_own_account`, or
 * 422 at `split.<n>.user_id` with one text for recipients that are unknown, revoked, suspended or of the other mode.
 */
export async function snapshotShares(account: AccountContext, net: number, split: CashInBody["split"]) {
  const total = split.reduce((sum, { percentage }) => sum + percentage, 0);
  if (total >= 100) throw new AppError("split_exceeds_total");
  const rows = await statement<Recipient>("recipients", RECIPIENTS, [
    split.map(({ user_id }) => user_id),
    account.mode,
  ]);
  const amounts = sharesOf(
    net,
    split.map(({ percentage }) => percentage * 100),
  );
  return split.map(({ user_id, percentage }, index): Share => {
    const recipient = rows.find((row) => row.client_id === user_id);
    if (!recipient) throw invalid({ [`split.${index}.user_id`]: ["Recebedor não encontrado."] });
    if (recipient.account_id === account.id) throw new AppError("split_own_account");
    return {
      id: newId(),
      account_id: recipient.account_id,
      name: recipient.name,
      percentage,
      amount: amounts[index] ?? 0,
    };
  });
}
