import type { Locale } from "@/messages";

/** The language of an Accept-Language header: Portuguese, except for a browser that asks for English before Portuguese. */
export function preferredLocale(header: string): Locale {
  const first = header
    .toLowerCase()
    .split(",")
    .map((entry) => entry.trim().slice(0, 2))
    .find((language) => ["pt", "en"].includes(language));
  return first === "en" ? "en" : "pt-BR";
}
