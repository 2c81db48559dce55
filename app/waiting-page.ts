import { look } from "@/browser/checkout/browser.generated";
import { html, raw } from "@/browser/checkout/html";
import { fill } from "@/browser/checkout/words";
import type { Look } from "@/lib/http/page-memory";
import type { Refused } from "@/lib/http/pages";
import en from "@/messages/en/frame.json";
import pt from "@/messages/pt-BR/frame.json";

const catalogues = { "pt-BR": pt.waiting, en: en.waiting };

/** The page of a person who is refused for now, without a script: a header of its answer loads it again. */
export function waitingPage({ locale, theme }: Look, { status, seconds, requestId }: Refused): string {
  const texts = catalogues[locale];
  const { title, text } = status === 429 ? texts.busy : texts.failed;
  const page = html`<!doctype html>
<html lang="${locale}"${theme && html` data-theme="${theme}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<link rel="icon" type="image/svg+xml" href="/icon.svg">
<title>${title} · Repasse</title>
<style>${raw(look)}</style>
</head>
<body>
<main>
<section class="card centred">
<h1>${title}</h1>
<p class="muted">${fill(text, { seconds: String(seconds) })}</p>
${status !== 429 && html`<p class="muted">${texts.requestId} <code>${requestId}</code></p>`}
<a class="secondary" href="">${texts.again}</a>
</section>
</main>
</body>
</html>
`;
  return page.html;
}
