import { env } from "@/lib/env";
import { escapeHtml } from "@/lib/mail/clean";
import type { Letter } from "@/lib/mail/letter";
import type { Words } from "@/lib/mail/words";
import type { Locale } from "@/messages";

/** The colours of the dashboard in light; the classes below are the same in dark. */
const INK = "#17191c";
const MUTED = "#5b6068";
const LINE = "#e4e3de";
const FONT = "font-family:Inter,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Mail programs that read styles use these; the others show the inline ones. */
const STYLE = `:root{color-scheme:light dark;supported-color-schemes:light dark}
a{color:#0b6b50}
@media (max-width:600px){.page{padding:0!important}.card{border-left:0!important;border-right:0!important;border-radius:0!important}.pad{padding-left:20px!important;padding-right:20px!important}}
@media (prefers-color-scheme:dark){
body,.page{background:#101214!important}
.card{background:#181b1e!important;border-color:#2a2e33!important}
.ink{color:#eceef0!important}
.muted{color:#a2a8b0!important}
.rule{border-color:#2a2e33!important}
.go{background:#4cc79e!important;border-color:#4cc79e!important}
.go a{color:#06251b!important}
.mark{background:#4cc79e!important;color:#06251b!important}
.band{background:#4a3413!important;color:#ffd9a0!important}
.plain{color:#4cc79e!important}
}`;

type Setting = { words: Words; locale: Locale; isTest: boolean };

/** A mail as HTML: one column of 560 px in tables, because mail programs show little else alike. It loads nothing. */
export function htmlOf(letter: Letter, { words, locale, isTest }: Setting): string {
  const { preheader, title, paragraphs, facts, button, second, why } = letter;
  const footer = words.fill(words.texts.footer, { host: new URL(env.APP_URL).host });
  const rows = [
    isTest ? bandOf(words.texts.testBand) : "",
    row("28px 32px 0", MARK),
    row(
      "24px 32px 0",
      `<h1 class="ink" style="margin:0;${FONT};font-size:22px;line-height:28px;font-weight:600;color:${INK}">${escapeHtml(title)}</h1>`,
    ),
    ...paragraphs.map((text) => row("12px 32px 0", paragraph(text))),
    facts.length > 0 ? row("20px 32px 0", factsOf(facts)) : "",
    button
      ? row("24px 32px 0", buttonOf(button)) + row("20px 32px 0", plainLink(words.texts.linkHelp, button.url))
      : "",
    second ? row("20px 32px 0", plainLink(second.text, second.link.url)) : "",
    row("28px 32px 28px", footerOf([why, footer])),
  ];
  return `<!doctype html>
<html lang="${locale}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#fbfbf9">
<div role="main">
<div style="display:none;max-height:0;overflow:hidden;opacity:0">${escapeHtml(preheader)}${"&#8199;&#65279;&#847; ".repeat(40)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:#fbfbf9">
<tr><td class="page" align="center" style="padding:24px 16px">
<!--[if mso]><table role="presentation" width="560" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;background:#ffffff;border:1px solid ${LINE};border-radius:8px;border-collapse:separate">
${rows.filter(Boolean).join("\n")}
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>
</table>
</div>
</body>
</html>
`;
}

const row = (padding: string, inner: string) =>
  `<tr><td class="pad" style="padding:${padding};word-break:break-word;overflow-wrap:anywhere">${inner}</td></tr>`;

const MARK = `<span class="mark" style="display:inline-block;width:26px;height:26px;line-height:26px;border-radius:6px;background:#0b6b50;color:#ffffff;${FONT};font-size:15px;font-weight:600;text-align:center;vertical-align:middle" aria-hidden="true">R</span><span class="ink" style="${FONT};font-size:16px;line-height:26px;font-weight:600;color:${INK};vertical-align:middle">&nbsp;&nbsp;Repasse</span>`;

const bandOf = (text: string) =>
  `<tr><td class="pad band" style="padding:12px 32px;background:#ffd9a0;color:#4a3413;border-radius:7px 7px 0 0;${FONT};font-size:14px;line-height:20px;font-weight:600">${escapeHtml(text)}</td></tr>`;

const paragraph = (text: string) =>
  `<p class="ink" style="margin:0;${FONT};font-size:16px;line-height:24px;color:${INK}">${escapeHtml(text)}</p>`;

const factsOf = (facts: Letter["facts"]) =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="border-collapse:collapse">${facts
    .map(([label, value]) => {
      const cell = `padding:8px 0;border-top:1px solid ${LINE};${FONT};font-size:14px;line-height:20px;vertical-align:top`;
      return `<tr><td class="muted rule" width="38%" style="${cell};padding-right:12px;color:${MUTED}">${escapeHtml(label)}</td><td class="ink rule" style="${cell};color:${INK};word-break:break-word;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`;
    })
    .join("")}</table>`;

const buttonOf = ({ label, url }: { label: string; url: string }) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0"><tr><td class="go" bgcolor="#0b6b50" style="background:#0b6b50;border:1px solid #0b6b50;border-radius:6px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 20px;${FONT};font-size:16px;line-height:22px;font-weight:600;color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>`;

const plainLink = (help: string, url: string) =>
  `<p class="muted" style="margin:0;${FONT};font-size:13px;line-height:20px;color:${MUTED}">${escapeHtml(help)}<br><a class="plain" href="${escapeHtml(url)}" style="color:#0b6b50;word-break:break-all;overflow-wrap:anywhere">${escapeHtml(url)}</a></p>`;

const footerOf = (lines: string[]) =>
  `<div class="rule" style="border-top:1px solid ${LINE};padding-top:16px">${lines
    .map(
      (text) =>
        `<p class="muted" style="margin:0 0 6px;${FONT};font-size:13px;line-height:20px;color:${MUTED}">${escapeHtml(text)}</p>`,
    )
    .join("")}</div>`;
