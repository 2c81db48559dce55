import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { createProduct } from "@/lib/products/create";
import { listProducts } from "@/lib/products/read";
import { ProductAnswer, ProductInput, ProductPage, ProductQuery } from "@/lib/products/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  GET: endpoint(
    {
      summary: "List products, newest first; archived ones only by their status",
      tag: "Products",
      scopes: ["plans:read"],
      feature: "recurring",
      query: ProductQuery,
      response: ProductPage,
    },
    ({ account, query }) => listProducts(account.id, query),
  ),
  POST: endpoint(
    {
      summary: "Create a product",
      tag: "Products",
      scopes: ["plans:write"],
      feature: "recurring",
      body: ProductInput,
      status: 201,
      response: ProductAnswer,
      errors: ["product_limit_reached"],
    },
    ({ account, body, intent }) => createProduct(account, body, intent),
  ),
});
