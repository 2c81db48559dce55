import { z } from "zod";

export const Split = z
  .array(
    z.object({
      percentage: z.int().min(1).max(100),
      user_id: z.uuid().transform((value) => value.toLowerCase()),
    }),
  )
  .min(1)
  .max(3);
export type Split = z.output<typeof Split>;

/** What a sale may sell or share beside its amount: recipients of its own, or a plan with those of the plan. */
export const soldMembers = {
  split: Split.nullish().transform((value) => value ?? []),
  plan_token: z
    .uuid()
    .nullish()
    .transform((value) => value ?? null)
    .meta({ description: "Sells this plan once: the sale is shared by the plan's accepted splits" }),
};
