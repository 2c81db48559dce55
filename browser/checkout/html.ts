/** A piece of markup. Texts in it are escaped. */
export type Html = { html: string };

type Part = Html | string | number | null | undefined | false | readonly Html[];

/** Markup from a template. Every value is escaped, except markup itself; null, undefined and false are nothing. */
export function html(texts: TemplateStringsArray, ...parts: Part[]): Html {
  return { html: texts.reduce((all, text, at) => all + rendered(parts[at - 1]) + text) };
}

/** Markup that is known to be safe: our own scripts and style sheets, and data that holds no "<". */
export const raw = (text: string): Html => ({ html: text });

function rendered(part: Part): string {
  if (part === null || part === undefined || part === false) return "";
  if (typeof part === "object") return "html" in part ? part.html : part.map(rendered).join("");
  return escaped(String(part));
}

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
