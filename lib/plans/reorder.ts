import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { invalid } from "@/lib/errors";
import type { PlanOrder } from "@/lib/plans/schema";
import { findProduct } from "@/lib/products/read";
import { businessNow } from "@/lib/time/clock";

const NOT_ALL = "Envie cada plano do produto que não está arquivado, uma vez.";

/**
 * Gives a product's plans the order of their tokens, which must be all that are not archived, so that no plan's place is
 * left to chance. Throws `product_not_found`, and 422 at `tokens` for any other set of plans.
 */
export const reorderPlans = (account: AccountContext, input: PlanOrder & { productId: string }) =>
  forAccount(account.id, async (tx) => {
    const { productId, tokens } = input;
    const accountId = account.id;
    await lockAccount(tx, accountId);
    await findProduct(tx, accountId, productId);
    const where = { accountId, productId, status: { not: "archived" as const } };
    const ordered = await tx.plan.findMany({
      where,
      select: { id: true },
      orderBy: [{ displayOrder: "asc" }, { id: "asc" }],
    });
    const plans = new Set(ordered.map(({ id }) => id));
    const isAll = tokens.length === plans.size && new Set(tokens).size === plans.size;
    if (!isAll || !tokens.every((token) => plans.has(token))) throw invalid({ tokens: [NOT_ALL] });
    const at = businessNow(account);
    await recordChange(tx, {
      ...{ accountId, subject: "product", id: productId, verb: "reordered", at },
      ...{ before: { plans: ordered.map(({ id }) => id) }, after: { plans: tokens } },
    });
    await tx.$executeRaw`
      update plans p set display_order = o.place - 1, updated_at = ${at}
      from unnest(${tokens}::uuid[]) with ordinality as o(token, place)
      where p.account_id = ${accountId}::uuid and p.id = o.token and p.display_order <> o.place - 1`;
    return { data: tokens.map((token, display_order) => ({ token, display_order })) };
  });
