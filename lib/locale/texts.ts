import compile from "icu-minify/compile";
import { cookies, headers } from "next/headers";
import { cache } from "react";
import { createTranslator } from "use-intl/core";
import { preferredLocale } from "@/lib/locale/preferred-locale";
import { type Locale, locales, type Messages, type Namespace } from "@/messages";
import { catalogues } from "@/messages/catalogues";

const compiled = new Map<Locale, Messages>();

/** The catalogue of a language with every text compiled, the form that next.config.ts's formatter reads. */
function messagesOf(locale: Locale): Messages {
  const known = compiled.get(locale);
  if (known) return known;
  const messages: Messages = JSON.parse(JSON.stringify(compileAll(catalogues[locale]))); // plain, as props must be
  compiled.set(locale, messages);
  return messages;
}

function compileAll(node: unknown): unknown {
  if (typeof node === "string") return compile(node);
  return Object.fromEntries(Object.entries(node as object).map(([key, value]) => [key, compileAll(value)]));
}

/** The reader's language, from the `locale` cookie; where there is none, the browser's. */
export const getLocale = cache(async (): Promise<Locale> => {
  const asked = (await cookies()).get("locale")?.value;
  return locales.find((locale) => locale === asked) ?? preferredLocale((await headers()).get("accept-language") ?? "");
});

/** These parts of the catalogue in the reader's language, for the browser. */
export async function getMessages(namespaces: readonly Namespace[]): Promise<Partial<Messages>> {
  const messages = messagesOf(await getLocale());
  return Object.fromEntries(namespaces.map((namespace) => [namespace, messages[namespace]]));
}

/** The translator of one part of the catalogue, for server components and page titles. */
export async function getTranslations<const N extends Namespace>(namespace: N) {
  const locale = await getLocale();
  return createTranslator<Messages, N>({ locale, messages: messagesOf(locale), namespace });
}
