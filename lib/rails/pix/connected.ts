import { repeat } from "@/lib/concurrency/repeat";
import { runPrepared } from "@/lib/db";
import { log } from "@/lib/log";
import { bacen } from "@/lib/rails/pix/bacen/adapter";
import { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import type { DynamicCodes, PixRail } from "@/lib/rails/pix/port";
import { decrypt } from "@/lib/vault/vault";

/** How soon every process knows what the staff has changed. */
const READ_EVERY_MS = 5_000;

/** A PSP that the staff has connected. Its settings may change while its rail is in use. */
type Connected = {
  rail: PixRail & DynamicCodes;
  settings: BacenSettings;
  sealed: Uint8Array;
  isDefault: boolean;
  isPayoutDefault: boolean;
  connectedAt: Date;
};

/** Pages and API are two bundles in one process, so what must exist once is kept on the global object. */
const shared = globalThis as typeof globalThis & { repassePixProviders?: Map<string, Connected> };
const all = (): Map<string, Connected> => (shared.repassePixProviders ??= new Map());

/** The rail of a PSP that is connected; undefined for another name. */
export const connectedRail = (provider: string): PixRail | undefined => all().get(provider)?.rail;

export const connectedRails = (): PixRail[] => [...all().values()].map(({ rail }) => rail);

/** The client's certificates of the PSPs that have one. */
export const connectedCertificates = (): { provider: string; certificate: string }[] =>
  [...all().values()].flatMap(({ rail: { provider }, settings: { certificate } }) =>
    certificate ? [{ provider, certificate }] : [],
  );

/** The rail by which live accounts are paid; undefined where the staff has named none. */
export const defaultRail = (): PixRail | undefined => [...all().values()].find(({ isDefault }) => isDefault)?.rail;

/** The rail by which every live payout leaves; undefined where the staff has named none. */
export const payoutDefaultRail = (): PixRail | undefined =>
  [...all().values()].find(({ isPayoutDefault }) => isPayoutDefault)?.rail;

/** What the sealed settings of a PSP are bound to. */
export const settingsContext = (id: string) => `settings of the provider ${id}`;

/**
 * Reads which PSPs are connected, and again every 5 s until the returned function is called. Resolves after the first
 * reading.
 */
export async function followProviders(): Promise<() => Promise<void>> {
  await readProviders();
  return repeat(READ_EVERY_MS, readProviders, (error) => log.debug({ error }, "the providers were not read"));
}

/** Reads once which PSPs are connected. One whose settings no key of the ring opens is left as it was. */
export async function readProviders(): Promise<void> {
  const rows = await runPrepared<Row>("pix_providers", READ, []);
  const names = new Set(rows.map(({ provider }) => provider));
  for (const provider of all().keys()) if (!names.has(provider)) all().delete(provider);
  for (const row of rows) {
    try {
      keep(row);
    } catch (error) {
      log.error({ provider: row.provider, error }, "the settings of a provider cannot be read");
    }
  }
}

type Row = { id: string; provider: string } & Pick<
  Connected,
  "sealed" | "isDefault" | "isPayoutDefault" | "connectedAt"
>;

const READ = `select id, name as provider, sealed_settings as sealed, is_default as "isDefault",
    is_payout_default as "isPayoutDefault", created_at as "connectedAt"
  from pix_providers`;

function keep({ id, provider, sealed, ...others }: Row): void {
  const known = all().get(provider);
  if (known) Object.assign(known, others);
  if (known && Buffer.compare(known.sealed, sealed) === 0) return;
  const settings = BacenSettings.parse(JSON.parse(decrypt(sealed, settingsContext(id)).toString()));
  if (known) Object.assign(known, { settings, sealed });
  else {
    const made = { settings, sealed, ...others } as Connected;
    made.rail = bacen(
      provider,
      () => made.settings,
      () => made.connectedAt,
    );
    all().set(provider, made);
  }
}
