import type { Metadata } from "next";
import { Missing } from "@/components/frame/missing";
import { getTranslations } from "@/lib/locale/texts";

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await getTranslations("errors"))("missingTitle") };
}

export default async function NotFound() {
  const t = await getTranslations("errors");
  return (
    <main className="mx-auto max-w-[640px] px-6 py-16 max-sm:px-4">
      <Missing title={t("missingTitle")} help={t("missingHelp")} home={t("home")} />
    </main>
  );
}
