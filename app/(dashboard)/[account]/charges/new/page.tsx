import { titled } from "@/app/titled";
import { DepositForm } from "@/components/deposits/form";
import { PageHead } from "@/components/ui/page";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";

export const generateMetadata = titled("deposits", "newTitle");

export default async function NewChargePage({ params }: InAccount) {
  await requireAccount(params, "transactions:write");
  const t = await getTranslations("deposits");
  return (
    <>
      <PageHead title={t("newTitle")} purpose={t("newPurpose")} />
      <DepositForm />
    </>
  );
}
