import { prisma } from "@/lib/db";
import { asLocale } from "@/lib/locale/of-person";
import { askLink } from "@/lib/users/links";

/** Sends a person the mail whose link confirms their address; nothing to whom it is confirmed, and to a program. */
export async function askConfirmation({ userId, ip }: { userId: string; ip: string }) {
  const user = await prisma().user.findUnique({ where: { id: userId } });
  if (user && !user.emailConfirmedAt) {
    await askLink({ kind: "confirm_address", email: user.email, ip, locale: asLocale(user.locale) });
  }
  return { message: "Enviamos um e-mail com o link de confirmação." };
}
