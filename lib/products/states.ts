import type { States } from "@/lib/states";
import type { ProductStatus } from "@/prisma/client/enums";

/** Every status of a product, and those it may move to. An archived one is kept for what was sold. */
export const productStates: States<ProductStatus> = {
  active: ["inactive", "archived"],
  inactive: ["active", "archived"],
  archived: [],
};
