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
