import { askLink } from "@/lib/users/links";
import type { ForgotBody } from "@/lib/users/schema";

/** Asks for a link to a new password. Whether there is a person with this e-mail is not even read. */
export async function forgotPassword({ email, locale = "pt-BR", ip }: ForgotBody & { ip: string }) {
  await askLink({ kind: "reset_password", email, ip, locale });
  return { message: "Se houver uma conta com este e-mail, enviamos um link para criar uma nova senha." };
}
