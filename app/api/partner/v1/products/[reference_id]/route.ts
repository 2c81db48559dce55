import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { readProduct } from "@/lib/products/read";
import { ProductAnswer, ProductChange, RemovedProduct } from "@/lib/products/schema";
import { archiveProduct, updateProduct } from "@/lib/products/update";

const product = { tag: "Products", feature: "recurring", ids: { reference_id: "product_not_found" } } as const;
const changes = {
  ...product,
  scopes: ["plans:write"],
  errors: ["product_not_found", "invalid_transition"],
} as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    { ...product, summary: "A product", scopes: ["plans:read"], response: ProductAnswer },
    ({ account, params }) => readProduct(account.id, params.reference_id ?? ""),
  ),
  PUT: endpoint(
    { ...changes, summary: "Change a product", body: ProductChange, response: ProductAnswer },
    ({ account, params, body }) => updateProduct(account, { ...body, id: params.reference_id ?? "" }),
  ),
  DELETE: endpoint(
    { ...changes, summary: "Archive a product: it is sold no more", response: RemovedProduct },
    ({ account, params }) => archiveProduct(account, { id: params.reference_id ?? "" }),
  ),
});
