import { iso } from "@/lib/clock";
import type { Product } from "@/lib/products/schema";
import type { Product as ProductRow } from "@/prisma/client/client";

export const presentProduct = (row: ProductRow): Product => ({
  reference_id: row.id,
  name: row.name,
  description: row.description,
  image_url: null,
  status: row.status,
  created_at: iso(row.createdAt),
  updated_at: iso(row.updatedAt),
});
