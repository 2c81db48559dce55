import { frame, look } from "@/browser/fields/browser.generated";
import { type Fault, type Name, names } from "@/browser/fields/inputs";
import type { Locale } from "@/messages";
import en from "@/messages/en/fields.json";
import pt from "@/messages/pt-BR/fields.json";

const catalogues = { "pt-BR": pt.cardFields, en: en.cardFields };

/** The data of the page's script. */
export type Setup = {
  publicKey: string;
  pageToken: string;
  /** The only origin to which messages are posted; null where none are posted. */
  parent: string | null;
  texts: {
    /** What a field without a text asks for. */
    empty: Record<Name, string>;
    faults: Record<Exclude<Fault, "required">, string>;
    failures: Record<"unavailable" | "limited" | "refused" | "invalid", string>;
  };
};

type PageOptions = { nonce: string; locale: Locale; theme: "light" | "dark" | "auto" };

/** The card fields as a whole page: markup, look and script are in one answer, which loads nothing else. */
export function fieldsPage({ setup, ...options }: PageOptions & { setup: Omit<Setup, "texts"> }): string {
  const texts = catalogues[options.locale];
  const field = (name: Name, aside = "") => `<div class="field">
<label class="label" for="${name}">${escaped(texts.labels[name])}${aside}</label>
<input id="${name}" name="${name}" aria-describedby="${name}-note" ${attributes[name]} required>
<p class="note" id="${name}-note"></p>
</div>`;
  const [number, holder, expiry, cvv] = names;
  const given = { ...setup, texts: { empty: texts.empty, faults: texts.faults, failures: texts.failures } };
  return page(
    options,
    texts.title,
    `<form novalidate>
${field(number, '<span class="brand" id="brand" aria-live="polite"></span>')}
${field(holder)}
<div class="pair">${field(expiry)}${field(cvv)}</div>
<p class="note" id="failure" role="alert"></p>
</form>
<script type="application/json" id="setup">${JSON.stringify(given).replaceAll("<", "\\u003c")}</script>
<script nonce="${options.nonce}">${frame}</script>`,
  );
}

/** The page in place of the fields where they may not be shown. */
export const closedPage = (options: PageOptions) =>
  page(options, catalogues[options.locale].title, `<p>${escaped(catalogues[options.locale].closed)}</p>`);

const page = ({ nonce, locale, theme }: PageOptions, title: string, content: string) => `<!doctype html>
<html lang="${locale}"${theme === "auto" ? "" : ` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style nonce="${nonce}">${look}</style>
</head>
<body>
<main>
<h1 class="hidden">${escaped(title)}</h1>
${content}
</main>
</body>
</html>
`;

const attributes: Record<Name, string> = {
  number: 'inputmode="numeric" autocomplete="cc-number" maxlength="60" placeholder="0000 0000 0000 0000"',
  holder_name: 'autocomplete="cc-name" maxlength="255" autocapitalize="characters" spellcheck="false"',
  expiry: 'inputmode="numeric" autocomplete="cc-exp" maxlength="12"',
  cvv: 'inputmode="numeric" autocomplete="cc-csc" maxlength="60"',
};

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
