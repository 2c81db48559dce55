import { listPage } from "@/app/list-page";
import { titled } from "@/app/titled";
import { Products } from "@/components/products/list";
import { listProducts } from "@/lib/products/read";
import { ProductQuery } from "@/lib/products/schema";

export const generateMetadata = titled("products", "title");

export default listPage({
  texts: ["products"],
  scope: "plans:read",
  feature: "recurring",
  key: ["products", "list"],
  path: "/api/partner/v1/products",
  filters: ProductQuery,
  read: ({ id }, query) => listProducts(id, query),
  shows: Products,
  curl: `curl -X POST $API/products -H "Authorization: Bearer $TOKEN" -H "Content-Type: application/json" -d '{"name": "Clube do livro"}'`,
});
