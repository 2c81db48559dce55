"use client";
import { useTranslations } from "use-intl";
import { useApi, useSession } from "@/components/account";
import { overviewQuery } from "@/components/overview/queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Status } from "@/components/ui/status";

/** The person's address is not confirmed yet: what that means, and the button that sends the mail. */
export function Unconfirmed() {
  const t = useTranslations("home");
  const api = useApi();
  const { email } = useSession().user;
  const send = useAction({
    act: () => api.post("/api/dashboard/v1/confirm/mail"),
    done: t("confirmationSent", { email }),
    refresh: overviewQuery(api.account).queryKey,
  });
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-card border bg-surface px-4 py-3">
      <div className="grid min-w-0 flex-1 basis-60 gap-1">
        <Status tone="warn" className="!whitespace-normal">
          {t("unconfirmed")}
        </Status>
        <p className="wrap-anywhere text-caption text-muted">{t("unconfirmedHelp", { email })}</p>
      </div>
      <Button onClick={() => send.mutate()} busy={send.isPending}>
        {t("sendConfirmation")}
      </Button>
    </div>
  );
}
