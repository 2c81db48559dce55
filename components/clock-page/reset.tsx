import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import type { Reset } from "@/lib/sandbox/schema";

/** What was read is of an account that nobody reaches any more. */
const NONE = ["reset"];

/** Begins the sandbox anew, and then loads the first page of the account that takes its place. */
export function ResetSection() {
  const t = useTranslations("sandbox.reset");
  const api = useApi();
  const mayReset = useMay("sandbox:write");
  if (!mayReset) return null;
  const act = async () => {
    const { account_id } = await api.post<Reset>("/api/partner/v1/sandbox/reset");
    window.location.assign(`/${account_id}/home`);
  };
  return (
    <Section title={t("title")}>
      <p className="mb-3 text-muted">{t("help")}</p>
      <ConfirmButton
        look="danger"
        title={t("ask")}
        help={<Help />}
        action={t("action")}
        act={act}
        done={t("done")}
        refresh={NONE}
        leaves
      >
        {t("open")}
      </ConfirmButton>
    </Section>
  );
}

function Help() {
  const t = useTranslations("sandbox.reset");
  return (["goes", "stays"] as const).map((what) => (
    <p key={what} className="mt-2">
      <strong className="text-ink">{t(`${what}Title`)}</strong> {t(what)}
    </p>
  ));
}
