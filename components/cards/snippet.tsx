"use client";
import { useTranslations } from "use-intl";
import { CodeBlock } from "@/components/ui/code";
import { CopyButton } from "@/components/ui/copy";
import { Section } from "@/components/ui/page";

const PATH = "/api/public/v1/card-tokens";
const CARD = {
  number: "4111111111111111",
  holder_name: "ANA PRADO",
  expiry_month: "12",
  expiry_year: "2030",
  cvv: "123",
};

/** The public tokenization on one line, as a browser on a registered page asks for it. */
export const curlOf = (apiUrl: string, key: string) =>
  `curl -X POST ${apiUrl}${PATH} -H "X-Public-Key: ${key}" -H "Origin: https://…" -H "Content-Type: application/json" -d '${JSON.stringify({ card: CARD })}'`;

/** The same from a page of the seller, with the seller's own key. */
export function Snippet({ apiUrl, publicKey }: { apiUrl: string; publicKey: string }) {
  const t = useTranslations("publicKey");
  const code = `<script>
  async function sealCard(card) {
    const answer = await fetch("${apiUrl}${PATH}", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Public-Key": "${publicKey}" },
      body: JSON.stringify({ card }), // ${Object.keys(CARD).join(", ")}
    });
    const body = await answer.json();
    if (!answer.ok) throw body;
    return body.data.token;
  }
</script>`;
  return (
    <Section title={t("snippet")} aside={<CopyButton text={code} label={t("copySnippet")} className="-mr-2.5" />}>
      <p className="mb-3 max-w-[72ch] text-muted">{t("snippetHelp")}</p>
      <CodeBlock>{code}</CodeBlock>
    </Section>
  );
}
