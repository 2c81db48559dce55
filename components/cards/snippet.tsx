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

/** The request of public tokenization as one curl command, as a browser on a registered page sends it. */
export const curlOf = (apiUrl: string, key: string) =>
  `curl -X POST ${apiUrl}${PATH} -H "X-Public-Key: ${key}" -H "Origin: https://…" -H "Content-Type: application/json" -d '${JSON.stringify({ card: CARD })}'`;

/** How the seller's page tokenizes cards: with our fields in it, or with fields of its own. */
export function Snippet({ apiUrl, publicKey }: { apiUrl: string; publicKey: string }) {
  const t = useTranslations("publicKey");
  const hosted = hostedFields(apiUrl, publicKey);
  const own = ownFields(apiUrl, publicKey);
  return (
    <>
      <Section title={t("snippet")} aside={<CopyButton text={hosted} label={t("copySnippet")} className="-mr-2.5" />}>
        <p className="mb-3 max-w-[72ch] text-muted">{t("snippetHelp")}</p>
        <CodeBlock>{hosted}</CodeBlock>
      </Section>
      <Section title={t("ownFields")} aside={<CopyButton text={own} label={t("copyOwnFields")} className="-mr-2.5" />}>
        <p className="mb-3 max-w-[72ch] text-muted">{t("ownFieldsHelp")}</p>
        <CodeBlock>{own}</CodeBlock>
      </Section>
    </>
  );
}

const hostedFields = (apiUrl: string, publicKey: string) => `<form id="checkout">
  <div id="card"></div>
  <button>Pagar</button>
</form>
<script src="${apiUrl}/fields.js"></script>
<script>
  const fields = Repasse.fields(document.getElementById("card"), {
    publicKey: "${publicKey}",
    onChange: ({ complete, brand, errors }) => {},
  });
  document.getElementById("checkout").addEventListener("submit", async (event) => {
    event.preventDefault();
    const { token, brand, last4 } = await fields.tokenize();
  });
</script>`;

const ownFields = (apiUrl: string, publicKey: string) => `<script>
  async function tokenizeCard(card) {
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
