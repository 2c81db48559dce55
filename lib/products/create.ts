import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import { presentProduct } from "@/lib/products/present";
import type { ProductInput } from "@/lib/products/schema";
import { businessNow } from "@/lib/time/clock";

/** Creates a product. Throws `product_limit_reached` when the account has as many as `limits` allows. */
export const createProduct = (account: AccountContext, input: ProductInput, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id: accountId } = account;
      await lockAccount(tx, accountId);
      if ((await tx.product.count({ where: { accountId } })) >= limits.products) {
        throw new AppError("product_limit_reached");
      }
      const now = businessNow(account);
      const data = { accountId, id: newId(now), ...input, createdAt: now, updatedAt: now };
      const row = await tx.product.create({ data });
      const product = presentProduct({ ...row, _count: { plans: 0, links: 0 } });
      await recordChange(tx, { accountId, subject: "product", id: data.id, verb: "created", after: product, at: now });
      return { data: product };
    }),
  );
