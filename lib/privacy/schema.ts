import { z } from "zod";
import { time } from "@/lib/time/schema";
import { emailOf, MAX_EMAIL } from "@/lib/typed/emails";
import { Document } from "@/lib/typed/fields";

/** Whom a customer's data is asked for by: a document or an e-mail, as it is stored. */
export const Person = z.union([
  z.object({ document: z.string(), email: z.null() }),
  z.object({ document: z.null(), email: z.string() }),
]);
export type Person = z.output<typeof Person>;

/** POST …/customer-data and …/export, …/erasures: a CPF, a CNPJ or an e-mail. */
export const PersonBody = z.object({
  person: z
    .string()
    .max(MAX_EMAIL)
    .transform((text, context): Person => {
      const email = emailOf(text);
      if (email) return { document: null, email };
      const read = Document.safeParse(text.slice(0, 60));
      if (read.success) return { document: read.data, email: null };
      context.addIssue({ code: "custom", message: "Informe um CPF, um CNPJ ou um e-mail." });
      return z.NEVER;
    }),
});

/**
 * What is kept of a place's records after an erasure, and why; `nothing` where nothing is. `open` is what may still be paid, and
 * `others` what an e-mail finds beside which another document stands.
 */
export const whys = ["law", "contract", "open", "fraud", "others", "nothing"] as const;

/** What an account keeps of a customer in one place, and what an erasure would do there. */
export const Effect = z.object({
  place: z.string(),
  /** How many records name the person, counted up to 10,001. */
  found: z.int(),
  erases: z.array(z.string()),
  keeps: z.array(z.string()),
  why: z.enum(whys),
  /** For how many years after the payment, where a law says so. */
  years: z.int().nullable(),
});
export type Effect = z.output<typeof Effect>;

export const Erasure = z.object({
  id: z.uuid(),
  created_at: time,
  done_at: time.nullable(),
  /** How many records of each place were erased so far. */
  erased: z.record(z.string(), z.int()),
});
export type Erasure = z.output<typeof Erasure>;
export const ErasureAnswer = z.object({ data: Erasure });
/** GET …/erasures: the latest 50. */
export const Erasures = z.object({ data: z.array(Erasure) });
