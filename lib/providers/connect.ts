import { currentActor } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { newId, newSecret, sha256 } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { log } from "@/lib/log";
import { areNetworks } from "@/lib/net/address";
import { forgetToken } from "@/lib/outside/token";
import { isReadable, presentProvider, sendsPayouts, unseal } from "@/lib/providers/read";
import { callBackFrom } from "@/lib/providers/renew-callbacks";
import type { Provider, ProviderBody, ProviderChanges } from "@/lib/providers/schema";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { type Fault, readCertificate, tryBacen } from "@/lib/rails/pix/bacen/try";
import { readProviders, settingsContext } from "@/lib/rails/pix/connected";
import { realNow } from "@/lib/time/clock";
import { encrypt } from "@/lib/vault/vault";
import type { PixProvider } from "@/prisma/client/client";

/**
 * Connects a PSP that speaks the Central Bank's API Pix, for the operator's staff. Its settings are tried before they are kept: a
 * token, and a charge of one cent that is removed again. The first one is the default. Every process uses it within 5 s.
 * Throws 422 for settings that did not work, and `provider_exists`.
 */
export async function connectProvider({ name, title, ...given }: ProviderBody): Promise<{ data: Provider }> {
  const settings = { ...given, callback_secret: newSecret() };
  await assertUsable(settings);
  await assertNew(settings);
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
 * of it before goes on with the new settings. The new default gets every new code, and that of payouts every new payout; what was begun stays with its PSP. Throws
 * `provider_not_found`, and 422 for settings that did not work.
 */
export async function changeProvider(input: ProviderChanges & { name: string }): Promise<{ data: Provider }> {
  const { name, title, is_default: isDefault, is_payout_default: isPayoutDefault, ...changed } = input;
  const found = await forAccount(PLATFORM, (tx) => tx.pixProvider.findUnique({ where: { name } }));
  if (!found) throw new AppError("provider_not_found");
  const before = unseal(found);
  const settings: BacenSettings = { ...before, ...changed };
  const isChanged = Object.keys(changed).length > 0;
  assertSame(before, changed);
  if (isPayoutDefault && !sendsPayouts(name))
    throw invalid({ is_payout_default: ["Este provedor não envia dinheiro a chaves."] });
  if (isChanged) await assertUsable(settings);
  await forAccount(PLATFORM, async (tx) => {
    // Of two defaults at once the second waits, and is the one that stays.
    await tx.$queryRaw`select from pix_providers order by id for update`;
    if (isDefault) await tx.pixProvider.updateMany({ where: { isDefault: true }, data: { isDefault: false } });
    if (isPayoutDefault)
      await tx.pixProvider.updateMany({ where: { isPayoutDefault: true }, data: { isPayoutDefault: false } });
    await tx.pixProvider.update({
      where: { name },
      data: {
        ...(title && { title }),
        ...(isDefault && { isDefault }),
        ...(isPayoutDefault !== undefined && { isPayoutDefault }),
        ...(isChanged && { sealedSettings: seal(found.id, settings) }),
        changedAt: realNow(),
      },
    });
    await recordChange(tx, {
      ...{ accountId: PLATFORM, subject: "provider", id: found.id, verb: "updated" },
      before: {
        ...{ title: found.title, is_default: found.isDefault, is_payout_default: found.isPayoutDefault },
        ...shown(before),
      },
      after: {
        ...{ title: title ?? found.title, is_default: isDefault ?? found.isDefault },
        ...{ is_payout_default: isPayoutDefault ?? found.isPayoutDefault, ...shown(settings) },
      },
    });
  });
  if (isChanged) await forgetToken(name);
  return listen(name);
}

/** Uses a PSP in this process at once, and has it call us back. Where that fails, payments are found a minute later. */
async function listen(name: string): Promise<{ data: Provider }> {
  await readProviders();
  const found = await forAccount(PLATFORM, (tx) => tx.pixProvider.findUniqueOrThrow({ where: { name } }));
  await callBackFrom(found);
  log.warn({ provider: name, userId: currentActor().id }, "a provider was connected or changed by staff");
  return { data: presentProvider(found) };
}

const seal = (id: string, settings: BacenSettings) =>
  new Uint8Array(encrypt(JSON.stringify(settings), settingsContext(id)));

/** What history keeps of settings: of secrets and certificates only by what one is told from another. */
const shown = ({
  client_secret,
  private_key,
  certificate,
  authority,
  callback_secret: _,
  ...others
}: BacenSettings) => ({
  ...others,
  ...Object.fromEntries(
    Object.entries({ client_secret, private_key, certificate, authority }).map(([name, text]) => [
      name,
      text ? sha256(text).toString("hex").slice(0, 8) : null,
    ]),
  ),
});

/** One client of a PSP is connected once: under two names each of its payments would be ours twice. */
async function assertNew({ base_url, client_id }: BacenSettings): Promise<void> {
  const rows = await forAccount(PLATFORM, (tx) => tx.pixProvider.findMany());
  const isSame = (row: PixProvider) => {
    const known = unseal(row);
    return known.base_url === base_url && known.client_id === client_id;
  };
  const twin = rows.filter(isReadable).find(isSame);
  if (twin) throw invalid({ client_id: [`Este cliente do provedor já está conectado, como ${twin.title}.`] });
}

/**
 * Open codes stay with the provider that made them, so another one is connected beside it and not put in its place. A secret that
 * is not named goes to no other host.
 */
function assertSame(before: BacenSettings, changed: Partial<BacenSettings>): void {
  const isOther = (name: "base_url" | "token_url") => hostOf(changed[name] ?? before[name]) !== hostOf(before[name]);
  const another = "É outro provedor: conecte-o ao lado deste, que ainda recebe os códigos abertos.";
  if (isOther("base_url")) throw invalid({ base_url: [another] });
  if (changed.profile && changed.profile !== before.profile) throw invalid({ profile: [another] });
  if (isOther("token_url") && !changed.client_secret)
    throw invalid({ client_secret: ["Informe o client secret de novo: ele irá a outro endereço."] });
}

const hostOf = (url: string) => new URL(url).host;

async function assertUsable(settings: BacenSettings): Promise<void> {
  const { certificate, private_key } = settings;
  if (Boolean(certificate) !== Boolean(private_key))
    throw invalid({ private_key: ["O certificado e a chave vão juntos."] });
  if (certificate && !readCertificate(certificate)) throw invalid({ certificate: ["Não é um certificado em PEM."] });
  if (settings.callback_networks && !areNetworks(settings.callback_networks))
    throw invalid({ callback_networks: ["Uma lista como 203.0.113.0/24, 198.51.100.7."] });
  const fault = await tryBacen(settings);
  if (fault) throw invalid({ [places[fault.at]]: [texts[fault.at](fault.reason)] });
}

/** At which field a person looks first, and what they read there. */
const places: Record<Fault["at"], string> = { reach: "base_url", refused: "pix_key", answer: "base_url" };
const texts: Record<Fault["at"], (reason: string) => string> = {
  reach: () =>
    "O provedor não foi alcançado, ou não deu um token. Confira os endereços, o certificado e as credenciais.",
  refused: (reason) => `O provedor recusou uma cobrança de um centavo: ${reason}`,
  answer: (reason) => `O provedor não respondeu como a API Pix manda: ${reason}`,
};
