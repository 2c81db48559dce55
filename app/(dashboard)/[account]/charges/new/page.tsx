import { titled } from "@/app/titled";
import { Notice } from "@/components/auth/notice";
import { DepositForm } from "@/components/deposits/form";
import { PageHead } from "@/components/ui/page";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";
import { hasPix } from "@/lib/sellers/has-pix";

export const generateMetadata = titled("deposits", "newTitle");

export default async function NewChargePage({ params }: InAccount) {
  const { account } = await requireAccount(params, "transactions:write");
  const t = await getTranslations("deposits");
  return (
    <>
      <PageHead title={t("newTitle")} purpose={t("newPurpose")} />
      {account.status === "approved" && !hasPix(account) && (
        <div className="mb-6 max-w-[560px]">
          <Notice tone="warn">
            <p>{t("noProvider")}</p>
          </Notice>
        </div>
      )}
      <DepositForm />
    </>
  );
}
