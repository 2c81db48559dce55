import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { removeImage, setImage } from "@/lib/products/image";
import { ProductAnswer, RemovedProduct } from "@/lib/products/schema";

const image = {
  tag: "Products",
  feature: "recurring",
  scopes: ["plans:write"],
  ids: { reference_id: "product_not_found" },
  errors: ["product_not_found", "invalid_transition"],
} as const;

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  POST: endpoint(
    {
      ...image,
      summary: "Give a product its image, up to 1 MB and 4096 pixels a side, in place of the one before",
      file: ["image/png", "image/jpeg", "image/webp"],
      status: 201,
      response: ProductAnswer,
    },
    ({ account, params, file, intent }) => setImage(account, { id: params.reference_id ?? "", file }, intent),
  ),
  DELETE: endpoint({ ...image, summary: "Remove a product's image", response: RemovedProduct }, ({ account, params }) =>
    removeImage(account, { id: params.reference_id ?? "" }),
  ),
});
