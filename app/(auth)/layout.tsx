import type { ReactNode } from "react";
import { Specimen } from "@/components/auth/specimen";
import { Logo } from "@/components/frame/logo";
import { getTranslations } from "@/lib/i18n";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("specimen");
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <main className="flex flex-col px-6 py-6 max-sm:px-4 sm:px-10">
        <Logo />
        <div className="mx-auto grid w-full max-w-[400px] flex-1 content-center py-10">{children}</div>
      </main>
      <aside className="grid place-items-center border-l bg-surface p-12 max-lg:hidden">
        <Specimen
          title={t("title")}
          lines={[
            [t("sale"), "R$ 100,00"],
            [t("fee"), "−R$ 3,99"],
            [t("share"), "−R$ 32,00"],
          ]}
          sum={[t("net"), "R$ 64,01"]}
        />
      </aside>
    </div>
  );
}
