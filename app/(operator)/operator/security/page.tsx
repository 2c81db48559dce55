import { titled } from "@/app/titled";
import { Security } from "@/components/security/security";
import { PageHead } from "@/components/ui/page";
import { requireStaff } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";

export const generateMetadata = titled("operator", "security");

export default async function Page() {
  const { hasSecondFactor } = await requireStaff({ withoutSecondFactor: true });
  const t = await getTranslations("operator");
  return (
    <>
      <PageHead title={t("security")} />
      <Security staff={{ proved: hasSecondFactor }} />
    </>
  );
}
