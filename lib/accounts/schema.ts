import { z } from "zod";
import { Document } from "@/lib/deposits/schema";

/** GET /balance (operations.md section 1): decimal strings; `balance` can be withdrawn now. */
export const Balance = z.object({
  balance: z.string(),
  pending: z.string(),
  blocked: z.string(),
  currency: z.literal("BRL"),
});
export type Balance = z.output<typeof Balance>;

/** GET /profile (operations.md section 1). */
export const Profile = z.object({
  name: z.string(),
  email: z.string(),
  status: z.enum(["pending", "approved", "suspended"]),
  document: z.string(),
  phone: z.string().nullable(),
  address: z.record(z.string(), z.unknown()).nullable(),
  legalRepresentative: z.record(z.string(), z.unknown()).nullable(),
});

/** Characters; what is longer is not even looked up at sign-in. */
export const longest = { email: 254, password: 200 };

/** POST /api/public/v1/sign-up: a company and its first person. */
export const SignUpBody = z.object({
  company: z.string().trim().min(2, "Informe o nome da empresa.").max(120),
  document: Document,
  name: z.string().trim().min(2, "Informe o seu nome.").max(120),
  email: z
    .email("E-mail inválido. Confira o endereço.")
    .max(longest.email)
    .transform((value) => value.toLowerCase()),
  password: z.string().min(12, "A senha precisa de pelo menos 12 caracteres.").max(longest.password),
});
export type SignUpBody = z.output<typeof SignUpBody>;
