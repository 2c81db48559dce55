"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { Effects } from "@/components/subscriptions/actions-effect";
import { NewCode } from "@/components/subscriptions/detail-code";
import { type Charge, openCharge, type Subscription } from "@/components/subscriptions/detail-queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

type Props = { subscription: Subscription; onClose: () => void };

/** Makes a new code for what is owed, and shows it. */
export function Resend({ subscription, onClose }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.resend");
  const common = useTranslations("common");
  const api = useApi();
  const { token, subscriber_email: email } = subscription;
  const charge = openCharge(subscription);
  const resend = useAction<{ charge: Charge }>({
    act: () => api.patch(`/api/partner/v1/subscriptions/${token}/resend-charge`, {}),
    refresh: [api.account, "subscriptions"],
  });
  const made = resend.data?.charge;
  if (made?.payment.pix_code) {
    return (
      <Dialog title={t("made")} onClose={onClose}>
        <NewCode charge={made} code={made.payment.pix_code} />
      </Dialog>
    );
  }
  return (
    <Dialog title={t("title")} onClose={onClose}>
      <div className="grid gap-5">
        <Effects
          of={[
            charge && t("amount", { amount: money(cents(charge.amount)) }),
            charge?.payment.pix_code && t("void"),
            t("mailed", { email }),
          ]}
        />
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{common("cancel")}</Button>
          <Button look="primary" busy={resend.isPending} onClick={() => resend.mutate(undefined, { onError: onClose })}>
            {t("act")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
