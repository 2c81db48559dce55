import { readForStaff } from "@/lib/db";
import { log } from "@/lib/log";
import { callbackUrlOf, isReadable, unseal } from "@/lib/providers/read";
import { connectedRail } from "@/lib/rails/pix/connected";
import type { PixProvider } from "@/prisma/client/client";

/**
 * Job: has every PSP call us back again where it no longer does, as after it forgot our address or `APP_URL` changed. One that
 * does not answer is asked in an hour, and its payments are found in its list meanwhile.
 */
export async function renewCallbacks(): Promise<void> {
  for (const row of await readForStaff((tx) => tx.pixProvider.findMany())) if (isReadable(row)) await callBackFrom(row);
}

/** Has a PSP call us back, unless it does so already. Where that fails, payments are found a minute later. */
export async function callBackFrom(row: PixProvider): Promise<void> {
  const { name } = row;
  await connectedRail(name)
    ?.callBackAt?.(callbackUrlOf(name, unseal(row)))
    .catch((error) => log.warn({ provider: name, error }, "a provider was not told where to call back"));
}
