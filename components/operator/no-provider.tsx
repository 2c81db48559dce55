"use client";
import { useTranslations } from "use-intl";
import { useStaffMay } from "@/components/operator/person";
import type { SellerMeta } from "@/components/operator/queries";
import { PageLink } from "@/components/ui/page-link";

/** What of an account's sales would be refused, because this installation has no provider of it for real money. */
export function NoProvider({ rails: { pix, cards }, isByCard }: { rails: SellerMeta["rails"]; isByCard: boolean }) {
  const t = useTranslations("operator.noProvider");
  const mayConnect = useStaffMay("providers:write");
  const isCardMissing = isByCard && !cards;
  if (pix && !isCardMissing) return null;
  const missing = pix ? "cards" : isCardMissing ? "both" : "pix";
  return (
    <section aria-label={t("title")} className="grid gap-2 border-warn border-l-2 bg-surface px-4 py-3">
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="text-muted">{t("help", { missing })}</p>
      {!pix && mayConnect && (
        <PageLink
          href="/operator/providers/new"
          className="justify-self-start font-medium underline underline-offset-4"
        >
          {t("connect")}
        </PageLink>
      )}
    </section>
  );
}
