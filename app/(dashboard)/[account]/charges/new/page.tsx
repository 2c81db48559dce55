import { titled } from "@/app/titled";
import { ChargeForm } from "@/components/charges/form";
import { PageHead } from "@/components/ui/page";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/i18n";

export const generateMetadata = titled("charges", "newTitle");

export default async function NewChargePage({ params }: InAccount) {
  await requireAccount(params, "transactions:write");
  const t = await getTranslations("charges");
  return (
    <>
      <PageHead title={t("newTitle")} purpose={t("newPurpose")} />
      <ChargeForm />
    </>
  );
}
