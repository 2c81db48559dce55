import type { Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
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
