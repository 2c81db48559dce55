import { z } from "zod";
import { centsOf } from "@/lib/money";
import { Email } from "@/lib/typed/fields";
import { plain } from "@/lib/typed/text";

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
    .union([z.literal(""), z.uuid()])
    .nullish()
    .transform((value) => value || null)
    .meta({ description: "Sells this plan once: the sale is shared by the plan's accepted splits" }),
};

const message = "Informe um percentual entre 0.01 e 100, com até duas casas decimais.";

/** A percentage with at most two decimals, read from its digits, as basis points. */
const Percentage = z
  .union([z.number(), z.string().max(40)], { error: message })
  .transform((value, context) => {
    const basisPoints = centsOf(plain(String(value)).trim());
    if (basisPoints !== undefined && basisPoints > 0 && basisPoints <= 10_000) return basisPoints;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({ description: "Percent of the net value, at most two decimals", example: 12.5 });

/** POST /subscription-plans/{token}/splits. `percentage` becomes basis points. */
export const InviteInput = z.object({
  email: Email,
  name: z
    .string()
    .trim()
    .max(255)
    .nullish()
    .transform((text) => text ?? ""),
  percentage: Percentage,
});
export type InviteInput = z.output<typeof InviteInput>;
