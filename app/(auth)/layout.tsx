import type { ReactNode } from "react";
import { EntryFrame } from "@/components/auth/frame";
import { Specimen } from "@/components/auth/specimen";
import { getLocale, getTranslations } from "@/lib/locale/texts";
import { moneyText } from "@/lib/money";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("specimen");
  const locale = await getLocale();
  const money = (cents: number) => moneyText(cents, locale);
  const beside = (
    <aside className="grid place-items-center border-l bg-surface p-12 max-lg:hidden">
      <Specimen
        title={t("title")}
        lines={[
          [t("sale"), money(10_000)],
          [t("fee"), money(-399)],
          [t("share"), money(-3_200)],
        ]}
        sum={[t("net"), money(6_401)]}
      />
    </aside>
  );
  return <EntryFrame beside={beside}>{children}</EntryFrame>;
}
