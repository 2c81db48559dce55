import { env } from "@/lib/env";
import type { Product } from "@/lib/products/schema";
import { iso } from "@/lib/time/clock";
import type { Product as ProductRow } from "@/prisma/client/client";

/** A product with how many of its plans and links are active. */
export type Counted = ProductRow & { _count: { plans: number; links: number } };

export const presentProduct = (row: Counted): Product => ({
  reference_id: row.id,
  name: row.name,
  description: row.description,
  image_url: imageUrl(row),
  status: row.status,
  is_sold: row.status === "active" && row._count.plans + row._count.links > 0,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});

/** The public address of a product's picture, on our own origin; null where it has none. */
export const imageUrl = ({ imageId }: Pick<ProductRow, "imageId">) => imageId && `${env.APP_URL}/images/${imageId}`;
