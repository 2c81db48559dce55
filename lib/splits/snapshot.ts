import type { AccountContext } from "@/lib/accounts/context";
import { runPrepared } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sharesOf } from "@/lib/money";
import type { Split } from "@/lib/splits/schema";
import type { Share } from "@/lib/splits/share";

type Recipient = { client_id: string; account_id: string; name: string };

const RECIPIENTS = `select c.client_id, a.id as account_id, a.name
  from credentials c cross join lateral account_in_scope(c.account_id) a
  where c.client_id = any($1::uuid[]) and c.revoked_at is null and a.mode::text = $2 and a.status <> 'suspended'`;

/**
 * Computes the recipients' shares of `net` cents. A recipient is named by any client id of its account that is not
 * revoked, and must be of the same mode, because a sandbox never pays a live account.
 * Throws `split_exceeds_total`, `split_own_account`, or 422 at `split.<n>.user_id` with one text for recipients that
 * are unknown, revoked, suspended or of the other mode.
 */
export async function snapshotShares(account: AccountContext, net: number, split: Split): Promise<Share[]> {
  const total = split.reduce((sum, { percentage }) => sum + percentage, 0);
  if (total >= 100) throw new AppError("split_exceeds_total");
  const rows = await runPrepared<Recipient>("recipients", RECIPIENTS, [
    split.map(({ user_id }) => user_id),
    account.mode,
  ]);
  const basisPoints = split.map(({ percentage }) => percentage * 100);
  const amounts = sharesOf(net, basisPoints);
  return split.map(({ user_id }, index) => {
    const recipient = rows.find((row) => row.client_id === user_id);
    if (!recipient) throw invalid({ [`split.${index}.user_id`]: ["Recebedor não encontrado."] });
    if (recipient.account_id === account.id) throw new AppError("split_own_account");
    return {
      id: newId(),
      recipientId: recipient.account_id,
      name: recipient.name,
      basisPoints: basisPoints[index] ?? 0,
      amount: amounts[index] ?? 0,
    };
  });
}
