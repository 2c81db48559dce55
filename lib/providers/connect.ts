import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError, errors } from "@/lib/errors";
import { newId, newSecret } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { areNetworks } from "@/lib/net/address";
import { providerFaults } from "@/lib/providers/errors";
import { lockProvider, seal, shown } from "@/lib/providers/lock";
import { readSettings, sendsPayouts, unseal } from "@/lib/providers/read";
import { listen } from "@/lib/providers/renew-callbacks";
import type { Provider, ProviderBody, ProviderChanges } from "@/lib/providers/schema";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { tryBacen } from "@/lib/rails/pix/bacen/try";
import { realNow } from "@/lib/time/clock";

/**
 * Connects a PSP that speaks the Central Bank's API Pix, for the operator's staff. Its settings are tried before they are kept: a
 * token, and a charge of one cent that is removed again. The first one is the default. Every process uses it within 5 s.
 * Throws one of `providerFaults` for settings that did not work, `provider_exists`, and `rail_unavailable` where they could not be
 * tried now.
 */
export async function connectProvider({ name, title, ...given }: ProviderBody): Promise<{ data: Provider }> {
  const settings = { ...given, callback_secret: newSecret() };
  await assertNew(name, settings);
  assertNetworks(settings);
  await assertUsable(name, settings);
  const id = newId();
  await forAccount(PLATFORM, async (tx) => {
    const isDefault = (await tx.pixProvider.count({ where: { isDefault: true } })) === 0;
    const data = [{ id, name, title, isDefault, sealedSettings: seal(id, settings) }];
    const { count } = await tx.pixProvider.createMany({ data, skipDuplicates: true });
    if (count === 0) throw new AppError("provider_exists");
    const after = { name, title, is_default: isDefault, is_payout_default: false, ...shown(settings) };
    await recordChange(tx, { accountId: PLATFORM, subject: "provider", id, verb: "created", after });
  });
  return listen(name);
}

/**
 * Changes a PSP, for the operator's staff: changed settings are tried first, and a secret that is not named stays. What was asked
 * of it before goes on with the new settings. The new default gets every new code, and that of payouts every new payout; what was
 * begun stays with its PSP. Throws `provider_not_found`, one of `providerFaults` for settings that did not work, and
 * `rail_unavailable` where they could not be tried now.
 */
export async function changeProvider(input: ProviderChanges & { name: string }): Promise<{ data: Provider }> {
  const { name, title, is_default: isDefault, is_payout_default: isPayoutDefault, ...changed } = input;
  const found = await forAccount(PLATFORM, (tx) => tx.pixProvider.findUnique({ where: { name } }));
  if (!found) throw new AppError("provider_not_found");
  const before = unseal(found);
  const settings: BacenSettings = { ...before, ...changed };
  const isChanged = Object.keys(changed).length > 0;
  assertSame(before, changed);
  if (isPayoutDefault && !sendsPayouts(name)) throw new AppError("payouts_not_offered");
  assertNetworks(settings);
  if (isOtherToPsp(before, changed)) await assertUsable(name, settings);
  await forAccount(PLATFORM, async (tx) => {
    const locked = await lockProvider(tx, name);
    // What was changed meanwhile, such as its address, stays changed.
    const kept = unseal(locked);
    const next = { ...kept, ...changed, ...formerKeys(kept, changed) };
    if (isDefault) await clear(tx, name, { isDefault: true }, "is_default");
    if (isPayoutDefault) await clear(tx, name, { isPayoutDefault: true }, "is_payout_default");
    await tx.pixProvider.update({
      where: { name },
      data: {
        ...(title && { title }),
        ...(isDefault && { isDefault }),
        ...(isPayoutDefault !== undefined && { isPayoutDefault }),
        ...(isChanged && { sealedSettings: seal(locked.id, next) }),
        changedAt: realNow(),
      },
    });
    await recordChange(tx, {
      ...{ accountId: PLATFORM, subject: "provider", id: locked.id, verb: "updated" },
      before: {
        ...{ title: locked.title, is_default: locked.isDefault, is_payout_default: locked.isPayoutDefault },
        ...shown(kept),
      },
      after: {
        ...{ title: title ?? locked.title, is_default: isDefault ?? locked.isDefault },
        ...{ is_payout_default: isPayoutDefault ?? locked.isPayoutDefault, ...shown(next) },
      },
    });
  });
  return listen(name);
}

/** The keys at which codes of before may still be paid, the latest first. */
const formerKeys = ({ pix_key, former_keys = [] }: BacenSettings, changed: Partial<BacenSettings>) =>
  changed.pix_key !== undefined &&
  changed.pix_key !== pix_key && { former_keys: [pix_key, ...former_keys].slice(0, 50) };

/** Takes from another PSP what one has at a time, which is a change of that one too. */
async function clear(tx: Tx, name: string, mark: Mark, field: "is_default" | "is_payout_default") {
  const rows = await tx.pixProvider.findMany({ where: { ...mark, name: { not: name } }, select: { id: true } });
  for (const { id } of rows) {
    const data = Object.fromEntries(Object.keys(mark).map((column) => [column, false]));
    await tx.pixProvider.update({ where: { id }, data });
    const change = { before: { [field]: true }, after: { [field]: false } };
    await recordChange(tx, { accountId: PLATFORM, subject: "provider", id, verb: "updated", ...change });
  }
}

type Mark = { isDefault: true } | { isPayoutDefault: true };

/**
 * One client of a PSP is connected once: under two names each of its payments would be ours twice. A name that is taken is refused
 * before the trial, because what is asked under a name counts as that PSP's: its pauses, its minute.
 */
async function assertNew(name: string, { base_url, client_id }: BacenSettings): Promise<void> {
  const rows = await forAccount(PLATFORM, (tx) => tx.pixProvider.findMany());
  if (rows.some((row) => row.name === name)) throw new AppError("provider_exists");
  const twin = rows.find((row) => {
    const known = readSettings(row);
    return known?.base_url === base_url && known.client_id === client_id;
  });
  if (twin) throw faultError("provider_client_connected", twin.title);
}

/**
 * Open codes stay with the provider that made them, so another one is connected beside it and not put in its place. A secret that
 * is not named goes to no other host.
 */
function assertSame(before: BacenSettings, changed: Partial<BacenSettings>): void {
  const isOther = (name: "base_url" | "token_url") => hostOf(changed[name] ?? before[name]) !== hostOf(before[name]);
  if (isOther("base_url") || (changed.profile && changed.profile !== before.profile))
    throw faultError("provider_is_another");
  if (isOther("token_url") && !changed.client_secret) throw faultError("provider_secret_needed");
}

const hostOf = (url: string) => new URL(url).host;

/** What we keep to ourselves: how often the PSP is asked, and whose callbacks are taken. */
const ours = new Set(["calls_per_minute", "callback_networks", "callback_certificate"]);

/** Whether a PSP is asked otherwise than before, so that the settings are to be tried. */
const isOtherToPsp = (before: BacenSettings, changed: Partial<BacenSettings>) =>
  Object.entries(changed).some(
    ([name, value]) => !ours.has(name) && (value ?? null) !== (before[name as keyof BacenSettings] ?? null),
  );

function assertNetworks({ callback_networks }: BacenSettings): void {
  if (callback_networks && !areNetworks(callback_networks)) throw faultError("provider_networks_unreadable");
}

async function assertUsable(provider: string, settings: BacenSettings): Promise<void> {
  const fault = await tryBacen(provider, settings);
  if (fault) throw faultError(fault.code, fault.reason);
}

/** `reason` is the PSP's own text, or what is wrong with its answer. It follows our text at the field. */
const faultError = (code: keyof typeof providerFaults, reason = "") =>
  new AppError(code, { faults: { [providerFaults[code]]: [errors[code][1], ...(reason ? [reason] : [])] } });
