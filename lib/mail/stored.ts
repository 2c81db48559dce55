import { renderMail } from "@/lib/mail/render";
import { MailContent } from "@/lib/mail/templates";
import { contentContext } from "@/lib/mail/write";
import { decrypt } from "@/lib/vault/vault";
import { type Locale, locales } from "@/messages";
import type { Mode } from "@/prisma/client/enums";

type Stored = { id: string; sealedContent: Uint8Array | null; locale: string; mode: Mode | null };

/** Renders what is stored of a mail. Throws where its content is gone, cannot be decrypted or is of no known template. */
export function renderStored({ id, sealedContent, locale, mode }: Stored) {
  if (!sealedContent) throw new Error("The mail has no content");
  const content = MailContent.parse(JSON.parse(decrypt(sealedContent, contentContext(id)).toString()));
  const known: Locale = locales.find((one) => one === locale) ?? "pt-BR";
  return renderMail(content, known, mode);
}
