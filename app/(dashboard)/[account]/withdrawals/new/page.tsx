import { Hydrated } from "@/app/hydrated";
import { Texts } from "@/app/texts";
import { titled } from "@/app/titled";
import { PageHead } from "@/components/ui/page";
import { WithdrawalForm } from "@/components/withdrawals/form";
import { termsQuery } from "@/components/withdrawals/queries";
import { type InAccount, requireAccount } from "@/lib/auth/session";
import { getTranslations } from "@/lib/locale/texts";
import { readWithdrawalTerms } from "@/lib/withdrawals/terms";

const texts = ["withdrawals"] as const;

export const generateMetadata = titled("withdrawals", "form.title");

export default async function NewWithdrawalPage({ params }: InAccount) {
  const session = await requireAccount(params, "withdrawals:write", "cash_out");
  const { account, user, modes } = session;
  const t = await getTranslations("withdrawals");
  const terms = async () => ({ data: await readWithdrawalTerms(account, { userId: user.id, liveId: modes.live }) });
  return (
    <Texts of={texts}>
      <PageHead title={t("form.title")} purpose={t("form.purpose")} />
      <Hydrated for={session} reads={[[termsQuery(account.id), terms]]}>
        <WithdrawalForm />
      </Hydrated>
    </Texts>
  );
}
