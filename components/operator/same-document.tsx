"use client";
import { useTranslations } from "use-intl";
import { documentNumber } from "@/components/format";
import type { SellerDetail } from "@/components/operator/queries";
import { SellerLink } from "@/components/operator/seller-link";
import { SellerStatusWord } from "@/components/operator/status";
import type { PageLinkProps } from "@/components/ui/page-link";

type Props = { seller: SellerDetail; target?: PageLinkProps["target"] };

/** The other accounts with the same CPF or CNPJ, which is allowed but may be a mistake. Nothing where there is none. */
export function SameDocument({ seller: { document, same_document }, target }: Props) {
  const t = useTranslations("operator.sameDocument");
  if (same_document.length === 0) return null;
  return (
    <section aria-label={t("title")} className="grid gap-2 border-warn border-l-2 bg-surface px-4 py-3">
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="text-muted">{t("help", { document: documentNumber(document) })}</p>
      <ul className="grid gap-1">
        {same_document.map(({ id, name, status }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3">
            <SellerLink id={id} target={target} className="min-w-0 wrap-anywhere underline underline-offset-4">
              {name}
            </SellerLink>
            <SellerStatusWord status={status} />
          </li>
        ))}
      </ul>
    </section>
  );
}
