"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { RecordActions } from "@/components/record/actions";
import { useClock } from "@/components/subscriptions/actions-effect";
import type { Subscription } from "@/components/subscriptions/detail-queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";

const Cancel = lazyWindow(() => import("@/components/subscriptions/actions-cancel").then((module) => module.Cancel));
const Pause = lazyWindow(() => import("@/components/subscriptions/actions-pause").then((module) => module.Pause));
const Resend = lazyWindow(() => import("@/components/subscriptions/actions-resend").then((module) => module.Resend));
const ChangePlan = lazyWindow(() =>
  import("@/components/subscriptions/actions-change-plan").then((module) => module.ChangePlan),
);
const ReplaceCard = lazyWindow(() =>
  import("@/components/subscriptions/actions-card").then((module) => module.ReplaceCard),
);

/** What may be done with a subscription now; each action shows its effect first. */
export function SubscriptionActions({ subscription }: { subscription: Subscription }) {
  const t = useTranslations("subscriptions.detail");
  const [open, setOpen] = useState<"cancel" | "pause" | "resend" | "change" | "card">();
  const close = () => setOpen(undefined);
  const mayWrite = useMay("subscriptions:write");
  const mayCard = useMay("cards:write");
  const mayTokenize = useSession().features.includes("cards") && mayCard;
  const may = (action: Subscription["allowed_actions"][number]) =>
    mayWrite && subscription.allowed_actions.includes(action);
  const actions = [
    may("change_plan") && { label: t("change.open"), act: () => setOpen("change") },
    may("replace_card") && mayTokenize && { label: t("card.open"), act: () => setOpen("card") },
    may("pause") && { label: t("pause.open"), act: () => setOpen("pause") },
    may("cancel") && {
      label: t(subscription.ends_at ? "cancel.openEnding" : "cancel.open"),
      act: () => setOpen("cancel"),
    },
  ].filter((action) => action !== false);
  return (
    <RecordActions primary={primary()} actions={actions}>
      {open === "cancel" && <Cancel subscription={subscription} onClose={close} />}
      {open === "pause" && <Pause subscription={subscription} onClose={close} />}
      {open === "resend" && <Resend subscription={subscription} onClose={close} />}
      {open === "change" && <ChangePlan subscription={subscription} onClose={close} />}
      {open === "card" && <ReplaceCard subscription={subscription} onClose={close} />}
    </RecordActions>
  );

  function primary() {
    if (may("reactivate")) return <Reactivate subscription={subscription} />;
    if (!may("resend_charge")) return undefined;
    return (
      <Button look="primary" onClick={() => setOpen("resend")}>
        {t("resend.open")}
      </Button>
    );
  }
}

function Reactivate({ subscription }: { subscription: Subscription }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.reactivate");
  const api = useApi();
  const { dayAfter } = useClock();
  const { token, plan, next_plan, paid_days_left } = subscription;
  const days = paid_days_left ?? 0;
  return (
    <ConfirmButton
      look="primary"
      title={t("title")}
      help={t("help", { days, amount: money(cents((next_plan ?? plan).amount)), day: dayAfter(days) })}
      action={t("open")}
      actionLook="primary"
      act={() => api.patch(`/api/partner/v1/subscriptions/${token}/reactivate`, {})}
      done={t("done")}
      refresh={[api.account, "subscriptions"]}
    >
      {t("open")}
    </ConfirmButton>
  );
}
