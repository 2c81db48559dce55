import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { pageAfter, pageOfRead } from "@/lib/lists/pagination";
import { presentProduct } from "@/lib/products/present";
import type { ProductQuery } from "@/lib/products/schema";

/** The account's products, newest first; `search` looks into their names. */
export const listProducts = (accountId: string, { status, search, ...query }: ProductQuery) =>
  readFor(accountId, async (tx) => {
    const where = whereNamed(accountId, status, search);
    const total = await tx.product.count({ where });
    const after = query.cursor ? { ...where, id: { lt: query.cursor } } : where;
    const rows = await tx.product.findMany({ where: after, include: COUNTED, ...pageAfter(query) });
    const { shown, meta } = pageOfRead(rows, { total, isExact: true }, query);
    return { data: shown.map(presentProduct), meta };
  });

/** The products or plans of an account with a status and a text in their names; without a status those not archived. */
export const whereNamed = <S extends string>(accountId: string, status: S | undefined, search: string | undefined) => ({
  accountId,
  status: status ?? { not: "archived" as const },
  ...(search && { name: { contains: search, mode: "insensitive" as const } }),
});

/** Throws `product_not_found`. */
export const readProduct = (accountId: string, id: string) =>
  readFor(accountId, async (tx) => ({ data: presentProduct(await findProduct(tx, accountId, id)) }));

/** With a product's row: how many of its plans and links are active. */
const COUNTED = {
  _count: { select: { plans: { where: { status: "active" } }, links: { where: { status: "active" } } } },
} as const;

/** A product's row. Throws `product_not_found`, also for another account's. */
export async function findProduct(tx: Tx, accountId: string, id: string) {
  const row = await tx.product.findUnique({ where: { accountId_id: { accountId, id } }, include: COUNTED });
  if (!row) throw new AppError("product_not_found");
  return row;
}
