import type { ReactNode } from "react";
import { OtherLanguage } from "@/components/auth/other-language";
import { Specimen } from "@/components/auth/specimen";
import { Logo } from "@/components/frame/logo";
import { getLocale, getTranslations } from "@/lib/locale/texts";
import { moneyText } from "@/lib/money";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("specimen");
  const locale = await getLocale();
  const money = (cents: number) => moneyText(cents, locale);
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main className="flex flex-col px-6 py-6 max-sm:px-4 sm:px-10">
        <Logo />
        <div className="mx-auto grid w-full max-w-[400px] flex-1 content-center py-10">{children}</div>
        <div className="mx-auto grid w-full max-w-[400px]">
          <OtherLanguage />
        </div>
      </main>
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
    </div>
  );
}
