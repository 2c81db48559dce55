import type { AccountContext } from "@/lib/accounts/context";
import { forAccount } from "@/lib/db";
import { type Intent, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { imageTypeOf } from "@/lib/products/image-type";
import { changeOwn } from "@/lib/profile/change";
import { businessNow } from "@/lib/time/clock";

/**
 * Gives an account its picture in place of the one before, under a new address: the old one then answers 404
 * (`readImage`). Throws 422 at `image`.
 */
export async function setPicture(account: AccountContext, { file }: { file: Buffer }, { idem }: Intent) {
  const contentType = imageTypeOf(file);
  return forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const id = newSecret();
      const data = await changeOwn(tx, account, { imageId: id }); // locked, so two uploads take turns
      const image = { id, contentType, bytes: new Uint8Array(file), createdAt: businessNow(account) };
      await tx.accountImage.upsert({
        where: { accountId: account.id },
        create: { accountId: account.id, ...image },
        update: image,
        select: { id: true },
      });
      return { data };
    }),
  );
}

/** Removes an account's picture, if it has one. */
export const removePicture = (account: AccountContext) =>
  forAccount(account.id, async (tx) => {
    await changeOwn(tx, account, { imageId: null });
    await tx.accountImage.deleteMany({ where: { accountId: account.id } });
    return { message: "Imagem removida." };
  });
