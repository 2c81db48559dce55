import { readForStaff } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import type { CallbackState, Provider } from "@/lib/providers/schema";
import { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { readCertificate } from "@/lib/rails/pix/bacen/try";
import { connectedRail, settingsContext } from "@/lib/rails/pix/connected";
import { iso } from "@/lib/time/clock";
import { decrypt } from "@/lib/vault/vault";
import type { PixProvider } from "@/prisma/client/client";

/** Every PSP that is connected, by name, for the operator's staff. */
export const listProviders = (): Promise<{ data: Provider[] }> =>
  readForStaff(async (tx) => {
    const rows = await tx.pixProvider.findMany({ orderBy: { name: "asc" } });
    return { data: rows.flatMap((row) => presentReadable(row) ?? []) };
  });

/** One PSP. Throws `provider_not_found`. */
export const readProvider = (name: string): Promise<{ data: Provider }> =>
  readForStaff(async (tx) => {
    const row = await tx.pixProvider.findUnique({ where: { name } });
    if (!row) throw new AppError("provider_not_found");
    return { data: presentProvider(row, unseal(row)) };
  });

/** Whether a PSP calls back at our address, as it says now. Throws `provider_not_found`. */
export async function readCallbackState(name: string): Promise<CallbackState> {
  const row = await readForStaff((tx) => tx.pixProvider.findUnique({ where: { name } }));
  if (!row) throw new AppError("provider_not_found");
  const isRegistered = connectedRail(name)?.callsBackAt?.(callbackUrlOf(name, unseal(row)));
  const isSecure = new URL(env.APP_URL).protocol === "https:";
  return { data: { is_registered: (await isRegistered?.catch(() => null)) ?? null, is_secure: isSecure } };
}

/** Where a PSP reports payments to us. Nobody else knows the address. */
export const callbackUrlOf = (name: string, { callback_secret }: BacenSettings) =>
  `${env.APP_URL}/callbacks/pix/${name}/${callback_secret}`;

/** The settings of a PSP; null where no key of the ring opens them, which holds up no other. */
export function readSettings(row: PixProvider): BacenSettings | null {
  try {
    return unseal(row);
  } catch (error) {
    log.error({ provider: row.name, error }, "the settings of a provider cannot be read");
    return null;
  }
}

function presentReadable(row: PixProvider): Provider | null {
  const settings = readSettings(row);
  return settings && presentProvider(row, settings);
}

/** The settings of a PSP. Throws where no key of the ring opens them, or they have another form. */
export const unseal = ({ id, sealedSettings }: PixProvider): BacenSettings =>
  BacenSettings.parse(JSON.parse(decrypt(sealedSettings, settingsContext(id)).toString()));

/** Whether a PSP sends money to keys. */
export const sendsPayouts = (name: string) => connectedRail(name)?.payouts !== undefined;

function presentProvider(row: PixProvider, { certificate, authority, account, ...settings }: BacenSettings): Provider {
  const { profile, base_url, token_url, scope, client_id, pix_key } = settings;
  const read = certificate ? readCertificate(certificate) : null;
  return {
    ...{ id: row.id, name: row.name, title: row.title, is_default: row.isDefault },
    ...{ sends_payouts: sendsPayouts(row.name), is_payout_default: row.isPayoutDefault },
    ...{ profile, base_url, token_url, scope: scope ?? null, client_id, pix_key },
    certificate: read && { subject: read.subject, ends_at: iso(read.endsAt) },
    has_authority: Boolean(authority),
    account: account ?? null,
    ...{ account_number: settings.account_number ?? null, callback_networks: settings.callback_networks ?? null },
    callback_certificate: settings.callback_certificate ?? false,
    calls_per_minute: settings.calls_per_minute ?? null,
    former_address_until: settings.former_callback?.until ?? null,
    ...{ created_at: iso(row.createdAt), changed_at: iso(row.changedAt) },
  };
}
