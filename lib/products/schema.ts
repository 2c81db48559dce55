import { z } from "zod";
import { CursorMeta, CursorQuery } from "@/lib/lists/pagination";
import { time } from "@/lib/time/schema";
import { ProductStatus } from "@/prisma/client/enums";

const status = z.enum(ProductStatus);
const name = z.string().trim().min(1, "Campo obrigatório.").max(255);
const description = z.string().trim().max(2_000);

export const ProductInput = z.object({
  name,
  description: description.nullish().transform((text) => text ?? ""),
  status: z.enum(["active", "inactive"]).default("active"),
});
export type ProductInput = z.output<typeof ProductInput>;

/** A change keeps what it does not name. */
export const ProductChange = z.object({
  name: name.optional(),
  description: description.optional(),
  status: status.optional(),
});
export type ProductChange = z.output<typeof ProductChange>;

export const Product = z.object({
  reference_id: z.uuid(),
  name: z.string(),
  description: z.string(),
  image_url: z.string().nullable(),
  status,
  is_sold: z.boolean().meta({ description: "Whether an active plan or payment link sells it" }),
  created_at: time,
  updated_at: time,
});
export type Product = z.output<typeof Product>;

export const ProductAnswer = z.object({ data: Product });
export type ProductAnswer = z.output<typeof ProductAnswer>;
export const RemovedProduct = z.object({ message: z.string() });

/** Without a status the list has no archived products. */
export const ProductQuery = CursorQuery.extend({
  status: status.optional(),
  search: z.string().trim().max(200).optional(),
});
export type ProductQuery = z.output<typeof ProductQuery>;
export const ProductPage = z.object({ data: z.array(Product), meta: CursorMeta });
export type ProductPage = z.output<typeof ProductPage>;
