import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { metaOf, type PageQuery, skipOf } from "@/lib/lists/pagination";
import { countActive } from "@/lib/plans/count-active";
import { presentPlan, withTerms } from "@/lib/plans/present";
import type { PlanQuery } from "@/lib/plans/schema";
import { findProduct, whereNamed } from "@/lib/products/read";
import type { Prisma } from "@/prisma/client/client";

/** Which plan is meant: by its token, and under a product only one of that product's. */
export type PlanKey = { accountId: string; id: string; productId?: string | undefined };

/** The account's plans, newest first; `search` looks into their names. */
export const listPlans = (accountId: string, { status, search, ...query }: PlanQuery) =>
  readFor(accountId, (tx) => pageOfPlans(tx, whereNamed(accountId, status, search), [{ id: "desc" }], query));

/** A product's plans that are not archived, by their display order. Throws `product_not_found`. */
export const listPlansOf = (accountId: string, productId: string, query: PageQuery) =>
  readFor(accountId, async (tx) => {
    await findProduct(tx, accountId, productId);
    const where = { accountId, productId, status: { not: "archived" as const } };
    return pageOfPlans(tx, where, [{ displayOrder: "asc" }, { id: "asc" }], query);
  });

async function pageOfPlans(
  tx: Tx,
  where: Prisma.PlanWhereInput & { accountId: string },
  orderBy: Prisma.PlanOrderByWithRelationInput[],
  query: PageQuery,
) {
  const total = await tx.plan.count({ where });
  const page = { skip: skipOf(query), take: query.per_page };
  const rows = await tx.plan.findMany({ where, orderBy, ...page, include: withTerms });
  const ids = rows.map(({ id }) => id);
  return { data: rows.map(presentPlan(await countActive(tx, where.accountId, ids))), meta: metaOf(total, query) };
}

/** Throws `plan_not_found`. */
export const readPlan = (key: PlanKey) =>
  readFor(key.accountId, async (tx) => {
    const plan = await findPlan(tx, key);
    return { data: presentPlan(await countActive(tx, key.accountId, [plan.id]))(plan) };
  });

/** A plan's row with its terms. Throws `plan_not_found`, also for another account's and another product's. */
export async function findPlan(tx: Tx, { accountId, id, productId }: PlanKey) {
  const where = { accountId, id, ...(productId !== undefined && { productId }) };
  const row = await tx.plan.findFirst({ where, include: withTerms });
  if (!row) throw new AppError("plan_not_found");
  return row;
}
