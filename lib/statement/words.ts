import { type Entered, lineOf } from "@/lib/statement/lines";
import type { Locale } from "@/messages";
import { catalogues } from "@/messages/catalogues";

const known = new Map<string, string>();

/** What happened by an entry, in plain words. `party` is who has the other part of a shared sale. */
export function wordsOf(locale: Locale, entry: Entered, party: string | null): string {
  const name = lineOf(entry)?.name ?? "";
  const key = `${locale} ${name}`;
  const text = known.get(key) ?? textOf(locale, name);
  known.set(key, text);
  return text.replace("{party}", () => party ?? "—");
}

function textOf(locale: Locale, name: string): string {
  const { lines, other } = catalogues[locale].statement;
  const [type = "", line = ""] = name.split(".");
  return (lines as Record<string, Record<string, string> | undefined>)[type]?.[line] ?? other;
}
