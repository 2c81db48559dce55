import type { AccountContext } from "@/lib/accounts/context";
import { concurrencyLimits } from "@/lib/concurrency/limit";
import { forAccount, runPrepared } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newSecret } from "@/lib/ids";
import { imageTypeOf } from "@/lib/products/image-type";
import { presentProduct } from "@/lib/products/present";
import { changeRow } from "@/lib/products/update";
import { businessNow } from "@/lib/time/clock";

/** A picture's bytes, and the product that it is of. */
type NewImage = { id: string; file: Buffer };

/**
 * Gives a product its picture in place of the one before, under a new address: the old one then answers 404. Throws 422
 * at `image`, `product_not_found`, and `invalid_transition` for an archived product.
 */
export async function setImage(account: AccountContext, { id: productId, file }: NewImage, { idem }: Intent) {
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
export const removeImage = (account: AccountContext, { id: productId }: { id: string }) =>
  forAccount(account.id, async (tx) => {
    await changeRow(tx, account, productId, { imageId: null });
    await tx.productImage.deleteMany({ where: { accountId: account.id, productId } });
    return { message: "Imagem removida." };
  });

/** How much of a picture is read at once: no more is held for somebody who does not take it. */
const PIECE_BYTES = 131_072;

/** How many pieces a process reads at once, and how long the cooldown of a place then is at most, so that others are served beside. */
const READS = 2;
const MAX_COOLDOWN_MS = 20;

const readInTurn = concurrencyLimits(
  { width: () => READS, cooldownMs: (usedMs) => Math.min(usedMs, MAX_COOLDOWN_MS), waiting: Number.POSITIVE_INFINITY },
  () => new AppError("unavailable"),
);

type Piece = { contentType: string; size: number; bytes: Buffer<ArrayBuffer> };

/**
 * A product's or an account's picture by the id in its address, for anonymous visitors too: its type, its size in bytes and, where it is wanted, its
 * content, which is read in pieces as fast as they are taken. Throws `not_found`.
 */
export async function readImage(id: string, { isContentWanted }: { isContentWanted: boolean }) {
  const first = ID.test(id) ? await readPiece(id, 0, isContentWanted ? PIECE_BYTES : 0) : undefined;
  if (!first) throw new AppError("not_found");
  const { contentType, size, bytes } = first;
  if (!isContentWanted) return { contentType, size, content: null };
  return { contentType, size, content: bytes.length === size ? bytes : streamOf(id, first) };
}

async function readPiece(id: string, from: number, length: number): Promise<Piece | undefined> {
  const text = `select content_type as "contentType", octet_length(bytes) as size, substring(bytes from $2 for $3) as bytes
    from image_in_scope($1)`;
  const read = () => runPrepared<Piece>("image_piece", text, [id, from + 1, length]);
  const [piece] = await (length > 0 ? readInTurn("pieces", read) : read());
  return piece;
}

/** A picture that is replaced meanwhile has no further pieces; the answer then ends before its length. */
function streamOf(id: string, { size, bytes }: Piece) {
  let next: Buffer<ArrayBuffer> | undefined = bytes;
  let sent = 0;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const piece = next ?? (await readPiece(id, sent, PIECE_BYTES))?.bytes;
    next = undefined;
    if (!piece?.length) return controller.error(new Error("The picture was replaced while it was read"));
    controller.enqueue(piece);
    sent += piece.length;
    if (sent === size) controller.close();
  };
  return new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
}

/** The form of what `newSecret` makes. */
const ID = /^[\w-]{43}$/;
