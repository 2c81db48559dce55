import type { Tx } from "@/lib/db";
import { NO_PLAN } from "@/lib/earnings/collect";

type Source = { sellerId: string; planId: string | null };
type Offer = Source & { plan: string | null; product: string | null; seller: string; email: string };

/**
 * Reads the sellers and plans that earnings come from, each once, which their recipient could not read itself. Returns
 * how to present those of one.
 */
export async function readSources(tx: Tx, earnings: readonly Source[]) {
  const keyOf = ({ sellerId, planId }: Source) => `${sellerId} ${planId ?? NO_PLAN}`;
  const keys = [...new Set(earnings.map(keyOf))].map((key) => key.split(" "));
  const [sellers, plans] = [keys.map(([seller]) => seller), keys.map(([, plan]) => plan)];
  const offers = await tx.$queryRawUnsafe<Offer[]>(OFFERS, sellers, plans);
  const byKey = new Map(offers.map((offer) => [keyOf(offer), offer]));
  return (earning: Source) => {
    const { plan, product = null, seller = "", email = "" } = byKey.get(keyOf(earning)) ?? {};
    const token = earning.planId ?? NO_PLAN;
    return { plan: plan ? { token, name: plan, product } : null, seller: { name: seller, email } };
  };
}

const OFFERS = `select k.seller_id as "sellerId", k.plan_id as "planId", o.name as plan, o.product,
    o.seller_name as seller, o.seller_email as email
  from unnest($1::uuid[], $2::uuid[]) as k(seller_id, plan_id) cross join lateral plan_offer(k.seller_id, k.plan_id) o`;
