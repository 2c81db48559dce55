"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { Effects, useClock } from "@/components/subscriptions/actions-effect";
import { openCharge, paidUntil, type Subscription } from "@/components/subscriptions/detail-queries";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";

type Props = { subscription: Subscription; onClose: () => void };

/** Cancels at once, or at the end of what is paid. */
export function Cancel({ subscription, onClose }: Props) {
  const t = useTranslations("subscriptions.detail.cancel");
  const api = useApi();
  const { daysUntil, lastDayOf } = useClock();
  const { token, status, ends_at, subscriber_name: name } = subscription;
  const until = paidUntil(subscription);
  const mayEndLater = status === "active" && !ends_at && until !== null && daysUntil(until) > 0;
  const [later, setLater] = useState(mayEndLater);
  const cancel = useAction({
    act: () => api.patch(`/api/partner/v1/subscriptions/${token}/cancel`, { at_period_end: later }),
    done: later ? t("doneLater") : t("done"),
    refresh: [api.account, "subscriptions"],
  });
  return (
    <Dialog title={t(ends_at ? "titleEnding" : "title", { name })} onClose={onClose}>
      <div className="grid gap-5">
        {mayEndLater && until && (
          <fieldset className="grid gap-2">
            <legend className="mb-2 font-medium">{t("when")}</legend>
            <Choice checked={later} onChoose={() => setLater(true)} label={t("later", { day: lastDayOf(until) })} />
            <Choice checked={!later} onChoose={() => setLater(false)} label={t("now")} />
          </fieldset>
        )}
        <div aria-live="polite">
          <Consequences subscription={subscription} later={later} />
        </div>
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={onClose}>{ends_at ? t("keepEnding", { day: lastDayOf(ends_at) }) : t("keep")}</Button>
          <Button
            look="danger"
            busy={cancel.isPending}
            onClick={() => cancel.mutate(undefined, { onSettled: onClose })}
          >
            {later ? t("actLater") : t(ends_at ? "actEnding" : "act")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

function Consequences({ subscription, later }: { subscription: Subscription; later: boolean }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.cancel");
  const { daysUntil, lastDayOf } = useClock();
  const { plan, next_plan, mandate } = subscription;
  const until = paidUntil(subscription);
  const charge = openCharge(subscription);
  const amount = money(cents((next_plan ?? plan).amount));
  const isPaid = until !== null && daysUntil(until) > 0;
  const isMandated = mandate?.status === "approved" || mandate?.status === "created";
  return (
    <Effects
      of={[
        until && later && t("runsUntil", { day: lastDayOf(until) }),
        later ? t("notCharged", { amount }) : t("neverCharged", { amount }),
        !later && isPaid && until && t("notReturned", { day: lastDayOf(until) }),
        charge && t("dropped", { amount: money(cents(charge.amount)) }),
        isMandated && t("mandate"),
      ]}
    />
  );
}

const Choice = ({ checked, onChoose, label }: { checked: boolean; onChoose: () => void; label: string }) => (
  <label className="flex items-center gap-3">
    <input type="radio" name="when" checked={checked} onChange={onChoose} className="size-4 accent-accent" />
    {label}
  </label>
);
