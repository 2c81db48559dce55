import { z } from "zod";

/** Why the staff refuses, in words that the seller reads. */
export const RefusalBody = z.object({
  reason: z.string().trim().min(1, "Escreva ao vendedor o motivo da recusa.").max(500),
});
export type RefusalBody = z.output<typeof RefusalBody>;
