import { presentSeller } from "@/lib/accounts/list";
import { lockAccount } from "@/lib/accounts/lock";
import type { AccountRail } from "@/lib/accounts/schema";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { readProvider } from "@/lib/providers/read";

/**
 * Chooses the PSP of a live account's Pix, for the operator's staff; null for the platform's default. New codes come from it; open
 * ones are still paid where they were made, and what was paid goes back the way it came. Throws `provider_not_found` and
 * `account_not_found`, also for a sandbox account.
 */
export async function chooseRail({ id, provider }: AccountRail & { id: string }): Promise<{ data: AccountRail }> {
  if (provider !== null) await readProvider(provider);
  await forAccount(id, async (tx) => {
    await lockAccount(tx, id);
    const was = await tx.account.findFirst({ where: { id, mode: "live" } });
    if (!was) throw new AppError("account_not_found");
    await tx.account.update({ where: { id }, data: { pixProvider: provider } });
    const shown = (pix_provider: string | null) => ({ ...presentSeller(was), pix_provider });
    const [before, after] = [shown(was.pixProvider), shown(provider)];
    await recordChange(tx, { accountId: id, subject: "account", id, verb: "updated", before, after });
  });
  return { data: { provider } };
}
