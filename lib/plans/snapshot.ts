import type { AccountContext } from "@/lib/accounts/context";
import { runPrepared, scopeOf } from "@/lib/db";
import { invalid } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { sharesOf } from "@/lib/money";
import type { Split } from "@/lib/splits/schema";
import type { Share } from "@/lib/splits/share";
import { snapshotShares } from "@/lib/splits/snapshot";
import type { SoldItems } from "@/lib/transactions/sale";

/** What a sale keeps of what it sells: the shares of its net and, of a plan, which one and how V2 names it. */
export type Sold = {
  shares: Share[];
  planId?: string;
  productId?: string | null;
  checkout?: SoldItems;
};

type Asked = { amount: number; split: Split; plan_token: string | null };

/**
 * What a sale of `net` cents sells, as it is at this moment. A sale of a plan is shared by the plan's accepted splits, any
 * other by the recipients that it names itself. Throws 422 at `plan_token` for a plan that the account does not sell, and
 * at `split` for a sale with both; and what `snapshotShares` throws.
 */
export async function describeSold(account: AccountContext, net: number, asked: Asked): Promise<Sold> {
  const { split, plan_token: token } = asked;
  if (!token) return { shares: split.length > 0 ? await snapshotShares(account, net, split) : [] };
  if (split.length > 0) throw invalid({ split: ["Uma venda de um plano é dividida pelos repasses do plano."] });
  const [plan] = await runPrepared<SoldPlan>("sold_plan", PLAN, [account.id, token]);
  if (!plan) throw invalid({ plan_token: ["Plano não encontrado, ou não está ativo."] });
  return soldOf(plan, asked.amount, net);
}

/** What a sale of a plan keeps of it, of `amount` and `net` cents. */
export function soldOf(plan: SoldPlan, amount: number, net: number) {
  const { id: planId, productId, splits } = plan;
  const amounts = sharesOf(
    net,
    splits.map(({ basisPoints }) => basisPoints),
  );
  const shares = splits.map((agreed, place) => ({ ...agreed, id: newId(), amount: amounts[place] ?? 0, planId }));
  return { shares, planId, productId, checkout: checkoutOf(plan, amount) };
}

/** The sale names its product or, of a plan without one, the plan. */
const checkoutOf = ({ id, name, productId, product }: SoldPlan, amount: number): SoldItems => ({
  reference_id: productId ?? id,
  name: product ?? name,
  items: [{ reference_id: id, name, type: "plan", amount }],
});

/** What a sale of a plan must know: its names, and the splits that count now. */
export type SoldPlan = {
  id: string;
  name: string;
  productId: string | null;
  product: string | null;
  splits: Pick<Share, "recipientId" | "name" | "basisPoints">[];
};

/** SQL: one plan of an account as a `SoldPlan`, with the statuses of itself and its product; both are expressions. */
export const soldPlan = (account: string, plan: string) => `
  select p.id, p.name, p.product_id as "productId", r.name as product, s.splits, p.status, r.status as product_status
  from (select * from plans where account_id = ${account} and id = ${plan} limit 1) p
  left join lateral (
    select name, status from products where account_id = ${account} and id = p.product_id limit 1
  ) r on true
  cross join lateral (
    select coalesce(json_agg(json_build_object(
      'recipientId', recipient_id, 'name', name, 'basisPoints', basis_points) order by id), '[]') as splits
    from plan_splits where account_id = ${account} and plan_id = p.id and status = 'accepted'
  ) s`;

/** SQL: whether a plan, or a link, is sold: it is active itself, and so is its product where it has one. */
export const isOnSale = (status: string, productStatus: string) =>
  `${status} = 'active' and coalesce(${productStatus}, 'active') = 'active'`;

const PLAN = `select sold.*
  from ${scopeOf("$1")}
  cross join lateral (${soldPlan("scope.account", "$2::uuid")}) sold
  where ${isOnSale("sold.status", "sold.product_status")}`;
