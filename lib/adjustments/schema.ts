import { z } from "zod";
import { MAX_ADJUSTMENT, MAX_ADJUSTMENT_REASON } from "@/lib/limits";
import { moneyText } from "@/lib/money";
import { Amount } from "@/lib/typed/amount";
import { AdjustmentDirection } from "@/prisma/client/enums";

/** POST /api/operator/v1/accounts/{id}/adjustments. `amount` becomes cents; the seller reads the reason. */
export const AdjustmentBody = z.object({
  direction: z.enum(AdjustmentDirection, { error: "Escolha se o ajuste é a crédito ou a débito." }),
  amount: Amount.refine((cents) => cents <= MAX_ADJUSTMENT, `Um ajuste é de no máximo ${moneyText(MAX_ADJUSTMENT)}.`),
  reason: z.string().trim().min(1, "Escreva ao vendedor o motivo do ajuste.").max(MAX_ADJUSTMENT_REASON),
});
export type AdjustmentBody = z.output<typeof AdjustmentBody>;
/** The same as it is sent. */
export type AdjustmentBodySent = z.input<typeof AdjustmentBody>;

/** Money that the operator moved between what the platform earned and what an account has available. */
export const Adjustment = z.object({
  id: z.uuid(),
  direction: z.enum(AdjustmentDirection),
  amount: z.string().meta({ description: "Reais, two decimals", example: "19.99" }),
  reason: z.string(),
  created_at: z.string(),
});
export type Adjustment = z.output<typeof Adjustment>;
