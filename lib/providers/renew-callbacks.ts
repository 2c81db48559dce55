import { currentActor } from "@/lib/actor";
import { answeredWithin } from "@/lib/concurrency/time-limit";
import { forAccount, readForStaff } from "@/lib/db";
import { PLATFORM } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { lockProvider, seal } from "@/lib/providers/lock";
import { callbackUrlOf, readProvider, readSettings, unseal } from "@/lib/providers/read";
import type { Provider } from "@/lib/providers/schema";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { connectedRail, readProviders } from "@/lib/rails/pix/connected";

/**
 * Job: has every PSP call us back again where it no longer does, as after it forgot our address or `APP_URL` changed. One that
 * does not answer is asked in an hour, and its payments are found in its list meanwhile.
 */
export async function renewCallbacks(): Promise<void> {
  for (const row of await readForStaff((tx) => tx.pixProvider.findMany())) {
    const settings = readSettings(row);
    if (settings) await callBackFrom(row.name, settings);
  }
}

/**
 * Has a PSP call us back, unless it does so already; the address before is good for nothing once the PSP says that it has this
 * one. Where that fails, payments are found a minute later.
 */
export async function callBackFrom(name: string, settings: BacenSettings): Promise<void> {
  const rail = connectedRail(name);
  const url = callbackUrlOf(name, settings);
  try {
    await rail?.callBackAt?.(url);
    if (settings.former_callback && (await rail?.callsBackAt?.(url))) await forgetFormer(name, settings);
  } catch (error) {
    log.warn({ provider: name, error }, "a provider was not told where to call back");
  }
}

/** How long a save waits for the PSP to have our address. */
const LISTENS_WITHIN_MS = 1_000;

/**
 * Uses a PSP in this process at once, and has it call us back: by itself where that takes longer. Where it fails, the job of
 * the hour does it, and payments are found a minute later.
 */
export async function listen(name: string): Promise<{ data: Provider }> {
  await readProviders();
  const found = await forAccount(PLATFORM, (tx) => tx.pixProvider.findUniqueOrThrow({ where: { name } }));
  await answeredWithin(LISTENS_WITHIN_MS, callBackFrom(name, unseal(found))).catch(() => {});
  log.warn({ provider: name, userId: currentActor().id }, "a provider was connected or changed by staff");
  return readProvider(name);
}

const forgetFormer = (name: string, { callback_secret }: BacenSettings) =>
  forAccount(PLATFORM, async (tx) => {
    const row = await lockProvider(tx, name);
    const { former_callback: _, ...settings } = unseal(row);
    if (settings.callback_secret !== callback_secret) return; // it was replaced once more
    await tx.pixProvider.update({ where: { name }, data: { sealedSettings: seal(row.id, settings) } });
  });
