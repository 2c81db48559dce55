import { z } from "zod";
import { centsOf, decimal, MAX_AMOUNT } from "@/lib/money";
import { plain } from "@/lib/typed/text";

const message = `Informe um valor entre 0.01 e ${decimal(MAX_AMOUNT)}, com até duas casas decimais.`;

/** An amount as the interface accepts it (JSON number or decimal string, 0.01 to 9,999,999,999.99), as cents. */
export const Amount = z
  .union([z.number(), z.string().max(40)], { error: message })
  .transform((value, context) => {
    const cents = centsOf(plain(String(value)).trim());
    if (cents !== undefined && cents > 0) return cents;
    context.addIssue({ code: "custom", message });
    return z.NEVER;
  })
  .meta({ description: "Reais, at most two decimals", example: 19.99 });
