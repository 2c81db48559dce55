"use client";
import { useTranslations } from "use-intl";
import { brandName } from "@/components/cards/brand-name";
import { type TestCard, testCards } from "@/components/cards/test-cards";
import { Copyable } from "@/components/ui/copy";
import { Section } from "@/components/ui/page";
import { Status } from "@/components/ui/status";

/** The sandbox's test numbers with the outcome of each. */
export function TestSheet() {
  const t = useTranslations("testCards");
  return (
    <Section title={t("title")}>
      <p className="mb-3 max-w-[72ch] text-muted">{t("help")}</p>
      <ul className="border-b">
        {testCards.map((card) => (
          <Row key={card.number} card={card} />
        ))}
      </ul>
    </Section>
  );
}

function Row({ card: { number, brand, answer, refused, expires } }: { card: TestCard }) {
  const t = useTranslations("testCards");
  const reason = useTranslations("refusals");
  const grouped = number.replace(/(.{4})(?=.)/g, "$1 ");
  const reasonText = refused ? reason(`${refused}.why`) : null;
  return (
    <li className="grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-6 border-t py-2 md:grid-cols-[200px_90px_110px_minmax(0,1fr)]">
      <Copyable text={number} shown={grouped} label={t("copy", { number: grouped })} />
      <p className="text-caption text-muted md:text-base">{brandName(brand)}</p>
      <Status tone={refused ? "bad" : "good"} className="max-md:col-span-2">
        {t(refused ? "refused" : "approved")}
      </Status>
      <p className="text-muted max-md:col-span-2 max-md:text-caption">
        {[answer !== "at_once" || !reasonText ? t(answer) : null, reasonText, expires && t("expires")]
          .filter(Boolean)
          .join(" ")}
        {refused && refused !== "antifraud" && <code className="ml-2 font-mono text-[12px]">{refused}</code>}
      </p>
    </li>
  );
}
