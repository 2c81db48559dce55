import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { sha256 } from "@/lib/ids";
import type { BacenSettings } from "@/lib/rails/pix/bacen/settings";
import { settingsContext } from "@/lib/rails/pix/connected";
import { encrypt } from "@/lib/vault/vault";
import type { PixProvider } from "@/prisma/client/client";

/**
 * The row of a PSP, because its settings are written as a whole. All rows are locked, so that of two defaults at once the second
 * waits, and is the one that stays. Throws `provider_not_found`.
 */
export async function lockProvider(tx: Tx, name: string): Promise<PixProvider> {
  await tx.$queryRaw`select from pix_providers order by id for update`;
  const row = await tx.pixProvider.findUnique({ where: { name } });
  if (!row) throw new AppError("provider_not_found");
  return row;
}

/** The settings of a PSP as its row keeps them: sealed by the vault, for the row of this id alone. */
export const seal = (id: string, settings: BacenSettings) =>
  new Uint8Array(encrypt(JSON.stringify(settings), settingsContext(id)));

/** What history keeps of settings: of secrets and certificates only by what one is told from another. */
export const shown = ({
  client_secret,
  private_key,
  certificate,
  authority,
  callback_secret,
  former_callback: _,
  ...others
}: BacenSettings) => ({
  ...others,
  ...Object.fromEntries(
    Object.entries({ client_secret, private_key, certificate, authority, callback_secret }).map(([name, text]) => [
      name,
      text ? sha256(text).toString("hex").slice(0, 8) : null,
    ]),
  ),
});
