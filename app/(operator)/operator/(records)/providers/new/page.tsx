import { notFound } from "next/navigation";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { Back } from "@/components/operator/back";
import { ConnectProvider } from "@/components/operator/provider-form";
import { PageHead } from "@/components/ui/page";
import { requireStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";

const texts = ["providers"] as const;

export const generateMetadata = titled("providers", "new");

export default async function Page() {
  const { scopes } = await requireStaff();
  if (!scopes.includes("providers:write")) notFound();
  const t = await getTranslations("providers");
  return (
    <Texts of={texts}>
      <Back href="/operator/providers">{t("title")}</Back>
      <PageHead title={t("new")} purpose={t("newHelp")} />
      <ConnectProvider />
    </Texts>
  );
}
