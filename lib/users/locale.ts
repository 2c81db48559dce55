import type { Tx } from "@/lib/db";
import type { Locale } from "@/messages";

/** The language of a person's mails: their own if they have signed in, or Portuguese. */
export async function localeOf(tx: Tx, email: string): Promise<Locale> {
  const user = await tx.user.findUnique({ where: { email }, select: { locale: true } });
  return user?.locale === "en" ? "en" : "pt-BR";
}
