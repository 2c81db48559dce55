import { endpoint } from "@/lib/http/endpoint";
import { methods } from "@/lib/http/methods";
import { reorderPlans } from "@/lib/plans/reorder";
import { OrderedPlans, PlanOrder } from "@/lib/plans/schema";

export const { GET, POST, PUT, PATCH, DELETE } = methods({
  PUT: endpoint(
    {
      summary: "Order a product's plans: all that are not archived, by their tokens",
      tag: "Plans",
      scopes: ["plans:write"],
      feature: "recurring",
      ids: { reference_id: "product_not_found" },
      body: PlanOrder,
      response: OrderedPlans,
      errors: ["product_not_found"],
    },
    ({ account, params, body }) => reorderPlans(account, { ...body, productId: params.reference_id ?? "" }),
  ),
});
