import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { newSecret } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { lockProvider, seal, shown } from "@/lib/providers/lock";
import { unseal } from "@/lib/providers/read";
import { listen } from "@/lib/providers/renew-callbacks";
import type { Provider } from "@/lib/providers/schema";
import { DAY_MS } from "@/lib/time/calendar";
import { iso, realNow } from "@/lib/time/clock";

/**
 * Has a PSP call back at a new secret address, for the operator's staff: whoever knows the old one can report nothing to us any
 * more. The old one is good until the PSP says that it has the new one (`callBackFrom`), and for a day at most. Throws
 * `provider_not_found`.
 */
export async function replaceAddress({ name }: { name: string }): Promise<{ data: Provider }> {
  await forAccount(PLATFORM, async (tx) => {
    const row = await lockProvider(tx, name);
    const before = unseal(row);
    const present = { secret: before.callback_secret, until: iso(new Date(realNow().getTime() + DAY_MS)) };
    const { former_callback: former } = before;
    // Where an address is replaced twice within a day, the PSP still has the first, whose time goes on.
    const former_callback = former && new Date(former.until) > realNow() ? former : present;
    const settings = { ...before, callback_secret: newSecret(), former_callback };
    await tx.pixProvider.update({
      where: { name },
      data: { sealedSettings: seal(row.id, settings), changedAt: realNow() },
    });
    const change = { before: shown(before), after: shown(settings) };
    await recordChange(tx, { accountId: PLATFORM, subject: "provider", id: row.id, verb: "updated", ...change });
  });
  return listen(name);
}
