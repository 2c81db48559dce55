import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Counted, presentProduct } from "@/lib/products/present";
import { findProduct } from "@/lib/products/read";
import type { ProductChange } from "@/lib/products/schema";
import { productTransitions } from "@/lib/products/states";
import { mayBecome, statusesBefore } from "@/lib/states";
import { businessNow } from "@/lib/time/clock";
import type { Product } from "@/prisma/client/client";

/**
 * Changes the members that were given. Throws `product_not_found`, and `invalid_transition` for an archived product or a
 * status that it may not move to.
 */
export const updateProduct = (account: AccountContext, input: ProductChange & { id: string }) =>
  forAccount(account.id, async (tx) => {
    const { id, name, description, status } = input;
    const row = await changeRow(tx, account, id, {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(status !== undefined && { status }),
    });
    return { data: presentProduct(row) };
  });

/** Archives a product: it is sold no more, and what was sold of it goes on. Throws as `updateProduct` does. */
export async function archiveProduct(account: AccountContext, { id }: { id: string }) {
  await updateProduct(account, { id, status: "archived" });
  return { message: "Produto arquivado." };
}

type Change = Partial<Pick<Product, "name" | "description" | "status" | "imageId">>;

/** Changes a product's row and locks it until the transaction ends. Throws as `updateProduct` does. */
export async function changeRow(tx: Tx, account: AccountContext, id: string, data: Change): Promise<Counted> {
  const { id: accountId } = account;
  const { status } = data;
  const now = businessNow(account);
  await lockAccount(tx, accountId);
  const before = presentProduct(await findProduct(tx, accountId, id));
  const open = statusesBefore(productTransitions, "archived");
  const from = open.filter((one) => !status || mayBecome(productTransitions, one, status));
  const { count } = await tx.product.updateMany({
    where: { accountId, id, status: { in: from } },
    data: { ...data, updatedAt: now },
  });
  if (count === 0) throw new AppError("invalid_transition");
  const row = await findProduct(tx, accountId, id);
  const after = presentProduct(row);
  await recordChange(tx, { accountId, subject: "product", id, verb: "updated", before, after, at: now });
  return row;
}
