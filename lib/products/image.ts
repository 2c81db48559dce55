import type { AccountContext } from "@/lib/accounts/context";
import { businessNow } from "@/lib/clock";
import { forAccount, statement } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Idem, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { imageTypeOf } from "@/lib/products/image-type";
import { presentProduct } from "@/lib/products/present";
import { changeRow } from "@/lib/products/update";

/**
 * Gives a product its picture in place of the one before, under a new address: the old one then answers 404. Throws 422
 * at `image`, `product_not_found`, and `invalid_transition` for an archived product.
 */
export async function setImage(account: AccountContext, productId: string, file: Buffer, idem?: Idem) {
  const contentType = imageTypeOf(file);
  return forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const id = newSecret();
      const product = await changeRow(tx, account, productId, { imageId: id }); // locked, so two uploads take turns
      const key = { accountId: account.id, productId };
      const image = { id, contentType, bytes: new Uint8Array(file), createdAt: businessNow(account) };
      await tx.productImage.upsert({
        where: { accountId_productId: key },
        create: { ...key, ...image },
        update: image,
        select: { id: true },
      });
      return { data: presentProduct(product) };
    }),
  );
}

/** Removes a product's picture, if it has one. Throws as `setImage` does. */
export const removeImage = (account: AccountContext, productId: string) =>
  forAccount(account.id, async (tx) => {
    await changeRow(tx, account, productId, { imageId: null });
    await tx.productImage.deleteMany({ where: { accountId: account.id, productId } });
    return { message: "Imagem removida." };
  });

type Image = { content_type: string; bytes: Buffer<ArrayBuffer> };

/** A picture by the id in its address, for anonymous visitors too. Throws `not_found`. */
export async function readImage(id: string): Promise<Image> {
  if (!ID.test(id)) throw new AppError("not_found");
  const text = "select content_type, bytes from image_in_scope($1)";
  const [image] = await statement<Image>("image_read", text, [id]);
  if (!image) throw new AppError("not_found");
  return image;
}

/** The form of what `newSecret` makes. */
const ID = /^[\w-]{43}$/;
