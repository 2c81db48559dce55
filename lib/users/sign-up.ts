import { createSeller } from "@/lib/accounts/create";
import type { SignUpBody } from "@/lib/accounts/schema";
import { isSqlState } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { isCommonPassword } from "@/lib/users/common-password";
import { hashPassword } from "@/lib/users/password";

/**
 * Makes a seller: a person, a live account that waits for approval, and a sandbox account, usable at once.
 * Throws `email_taken`, and 422 at `password` for a common one.
 */
export async function signUp({ company, document, name, email, password }: SignUpBody) {
  if (await isCommonPassword(password)) {
    throw invalid({ password: ["Esta senha é fácil de adivinhar. Use uma frase só sua."] });
  }
  const person = { name, email, passwordHash: await hashPassword(password) };
  await createSeller({ company, document, person }).catch((error) => {
    if (isSqlState(error, "23505")) throw new AppError("email_taken", { cause: error });
    throw error;
  });
  return { message: "Conta criada. Você já pode entrar e usar o ambiente de testes." };
}
