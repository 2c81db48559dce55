import type { AccountContext } from "@/lib/accounts/context";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Counted, presentProduct } from "@/lib/products/present";
import { findProduct } from "@/lib/products/read";
import type { ProductChange } from "@/lib/products/schema";
import { productStates } from "@/lib/products/states";
import { before } from "@/lib/states";
import type { Product } from "@/prisma/client/client";

/**
 * Changes the members that were given. Throws `product_not_found`, and `invalid_transition` for an archived product or a
 * status that it may not move to.
 */
export const updateProduct = (account: AccountContext, id: string, { name, description, status }: ProductChange) =>
  forAccount(account.id, async (tx) => {
    const row = await changeRow(tx, account, id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
    });
    return { data: presentProduct(row) };
  });

/** Archives a product: it is sold no more, and what was sold of it goes on. Throws as `updateProduct` does. */
export async function archiveProduct(account: AccountContext, id: string) {
  await updateProduct(account, id, { status: "archived" });
  return { message: "Produto arquivado." };
}

type Change = Partial<Pick<Product, "name" | "description" | "status" | "imageId">>;

/** Changes a product's row and locks it until the transaction ends. Throws as `updateProduct` does. */
export async function changeRow(tx: Tx, account: AccountContext, id: string, data: Change): Promise<Counted> {
  const { id: accountId } = account;
  const { status } = data;
  const open = before(productStates, "archived");
  const from = open.filter((one) => !status || status === one || productStates[one].includes(status));
  const { count } = await tx.product.updateMany({
    where: { accountId, id, status: { in: from } },
    data: { ...data, updatedAt: businessNow(account) },
  });
  const row = await findProduct(tx, accountId, id);
  if (count === 0) throw new AppError("invalid_transition");
  return row;
}
