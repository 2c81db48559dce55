import type { Transitions } from "@/lib/states";
import type { ProductStatus } from "@/prisma/client/enums";

/** The transitions of a product. An archived one is kept for what was sold. */
export const productTransitions = {
  activate: { from: ["inactive"], to: "active" },
  deactivate: { from: ["active"], to: "inactive" },
  archive: { from: ["active", "inactive"], to: "archived" },
} as const satisfies Transitions<ProductStatus>;
