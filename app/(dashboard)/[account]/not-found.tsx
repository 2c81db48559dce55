import { Missing } from "@/components/frame/missing";
import { getTranslations } from "@/lib/locale/texts";

export default async function NotFound() {
  const t = await getTranslations("errors");
  return <Missing title={t("missingTitle")} help={t("missingHelp")} home={t("home")} />;
}
