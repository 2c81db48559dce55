import { notFound } from "next/navigation";
import { Hydrated, type InRecord } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { PLANS_SHOWN, plansOf } from "@/components/plans/queries";
import { ProductDetail } from "@/components/products/detail";
import { productQuery } from "@/components/products/queries";
import { requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { isId } from "@/lib/ids";
import { listPlansOf } from "@/lib/plans/read";
import { readProduct } from "@/lib/products/read";

export const generateMetadata = titled("products", "one");

export default async function ProductPage({ params }: InRecord) {
  const { account } = await requireAccount(params, "plans:read", "recurring");
  const { id } = await params;
  if (!isId(id)) notFound();
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/products/${id}/subscription-plans -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Mensal", "amount": "49.90", "billing_method": "qr_code"}'`;
  return (
    <Hydrated
      reads={[
        [productQuery(account.id, id), () => readProduct(account.id, id)],
        [plansOf(account.id, id), () => listPlansOf(account.id, id, { page: 1, per_page: PLANS_SHOWN })],
      ]}
    >
      <ProductDetail id={id} curl={curl} />
    </Hydrated>
  );
}
