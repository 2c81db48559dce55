import { z } from "zod";

const whole = (byDefault: number, limit: number) => z.coerce.number().int().min(1).max(limit).default(byDefault);

/** `page` from 1 and `per_page` from 1 to 100, as every list accepts them. */
export const PageQuery = z.object({ page: whole(1, 1_000_000), per_page: whole(15, 100) });
export type PageQuery = z.output<typeof PageQuery>;

export const Meta = z.object({
  total: z.int(),
  current_page: z.int(),
  per_page: z.int(),
  last_page: z.int(),
});

/** `{data: [item], meta}`: the shape of every list. */
export const pageOf = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: Meta });

export const skipOf = ({ page, per_page }: PageQuery) => (page - 1) * per_page;

/** The meta of a list of `total` records. */
export const metaOf = (total: number, { page, per_page }: PageQuery) => ({
  total,
  current_page: page,
  per_page,
  last_page: Math.max(1, Math.ceil(total / per_page)),
});
