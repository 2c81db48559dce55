import { Hydrated, type Searched } from "@/app/hydrated";
import { titled } from "@/app/titled";
import { Products } from "@/components/products/list";
import { products } from "@/components/products/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { env } from "@/lib/env";
import { listProducts } from "@/lib/products/read";
import { ProductQuery } from "@/lib/products/schema";

export const generateMetadata = titled("products", "title");

export default async function ProductsPage({ params, searchParams }: InAccount & Searched) {
  const { account } = await requireAccount(params, "plans:read", "recurring");
  const filters = products.filtersOf(await searchParams);
  const curl = `curl -X POST ${env.APP_URL}/api/partner/v1/products -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Clube do livro"}'`;
  return (
    <Hydrated
      reads={[[products.of(account.id, filters), async () => listProducts(account.id, ProductQuery.parse(filters))]]}
    >
      <Products curl={curl} />
    </Hydrated>
  );
}
