import { env } from "@/lib/env";
import { htmlOf } from "@/lib/mail/html";
import { type Letter, letterOf } from "@/lib/mail/letter";
import type { MailContent } from "@/lib/mail/templates";
import { type Words, wordsIn } from "@/lib/mail/words";
import type { Locale } from "@/messages";
import type { Mode } from "@/prisma/client/enums";

/** What a mail program gets. */
export type Rendered = { subject: string; text: string; html: string };

/** Renders a mail in a language. Throws where a link leads to another site than ours. */
export function renderMail(content: MailContent, locale: Locale, mode: Mode | null): Rendered {
  const letter = letterOf(content, locale);
  const words = wordsIn(locale);
  const isTest = mode === "sandbox";
  for (const link of [letter.button, letter.second?.link]) if (link) assertOurs(link.url);
  const subject = isTest ? `[${words.texts.test}] ${letter.subject}` : letter.subject;
  return {
    subject,
    text: textOf(letter, words, isTest),
    html: htmlOf(letter, { words, locale, isTest }),
  };
}

function assertOurs(url: string) {
  if (!URL.canParse(url) || new URL(url).origin !== new URL(env.APP_URL).origin) {
    throw new Error("A link of a mail leads to another site");
  }
}

/** The mail as plain text, in the order of the HTML. */
function textOf({ title, paragraphs, facts, button, second, why }: Letter, { texts, fill }: Words, isTest: boolean) {
  const parts = [
    isTest ? texts.testBand : null,
    title,
    ...paragraphs,
    facts.length > 0 ? facts.map(([label, value]) => `${label}: ${value}`).join("\n") : null,
    button && `${button.label}:\n${button.url}`,
    second && `${second.text}\n${second.link.url}`,
    `-- \n${why}\n${fill(texts.footer, { host: new URL(env.APP_URL).host })}`,
  ];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}
