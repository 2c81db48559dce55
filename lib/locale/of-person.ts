import type { Tx } from "@/lib/db";
import { type Locale, locales } from "@/messages";

/** The language of a person's mails: their own if they have signed in, or Portuguese. */
export async function localeOf(tx: Tx, email: string): Promise<Locale> {
  const user = await tx.user.findUnique({ where: { email }, select: { locale: true } });
  return asLocale(user?.locale);
}

/** The language of this name, or else Portuguese. */
export const asLocale = (name: string | undefined): Locale => locales.find((locale) => locale === name) ?? "pt-BR";

/** The language that the `locale` cookie of a `Cookie` header names, or null. */
export const localeIn = (cookies: string): Locale | null => {
  const [, asked] = /(?:^|;\s*)locale=([\w-]{2,5})(?:;|$)/.exec(cookies) ?? [];
  return locales.find((locale) => locale === asked) ?? null;
};
