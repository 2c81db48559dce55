"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type BaseSyntheticEvent, useRef } from "react";
import { useTranslations } from "use-intl";
import type { CardFields as Fields } from "@/browser/fields/open";
import { useApi } from "@/components/account";
import { publicKeyQuery } from "@/components/cards/queries";
import { cents, useNumbers } from "@/components/format";
import { CardFields, FieldsSkeleton } from "@/components/subscriptions/actions-card-fields";
import { Effects, useClock } from "@/components/subscriptions/actions-effect";
import type { Subscription } from "@/components/subscriptions/detail-queries";
import { FormDialog } from "@/components/ui/form-dialog";
import { Loaded } from "@/components/ui/loaded";
import { toast } from "@/components/ui/toast";

type Props = { subscription: Subscription; onClose: () => void };

/** Replaces the card on which a subscription is charged. The card is typed in our hosted fields. */
export function ReplaceCard({ subscription, onClose }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.card");
  const { account } = useApi();
  const due = dueNow(subscription);
  const key = useQuery({ ...publicKeyQuery(account), staleTime: Number.POSITIVE_INFINITY });
  const opened = useRef<Promise<Fields | undefined>>(undefined);
  const form = useReplacement(subscription, opened, onClose);
  return (
    <FormDialog
      form={form}
      title={t("title", { name: subscription.subscriber_name })}
      action={due === null ? t("act") : t("actCharging", { amount: money(cents(due)) })}
      onClose={onClose}
    >
      <Consequences subscription={subscription} />
      <Loaded result={key} skeleton={<FieldsSkeleton text={t("loading")} />}>
        {({ data }) => <CardFields publicKey={data.key} opened={opened} />}
      </Loaded>
    </FormDialog>
  );
}

/** Tokenizes the card and sends its token. The fields themselves show what is wrong with a card, and keep it. */
function useReplacement(
  subscription: Subscription,
  opened: { readonly current: Promise<Fields | undefined> | undefined },
  onClose: () => void,
) {
  const t = useTranslations("subscriptions.detail.card");
  const api = useApi();
  const client = useQueryClient();
  const refresh = () => void client.invalidateQueries({ queryKey: [api.account, "subscriptions"] });
  const replace = useMutation({
    async mutationFn() {
      const fields = await opened.current;
      const made = await fields?.tokenize().catch(() => undefined);
      if (!made) return false;
      await api.put(`/api/partner/v1/subscriptions/${subscription.token}/card`, { card: { token: made.token } });
      return true;
    },
    onSuccess(isReplaced) {
      if (!isReplaced) return;
      refresh();
      toast(t(dueNow(subscription) === null ? "done" : "doneCharging"));
      onClose();
    },
    onError: refresh,
  });
  return {
    async submit(event?: BaseSyntheticEvent) {
      event?.preventDefault();
      if (!replace.isPending) replace.mutate();
    },
    busy: replace.isPending,
    failure: replace.error,
  };
}

/** What is charged at once, because it is past its due date; null where nothing is. */
const dueNow = ({ status, paused_at, amount_due }: Subscription): string | null =>
  paused_at === null && (status === "overdue" || status === "suspended") ? amount_due : null;

function Consequences({ subscription }: { subscription: Subscription }) {
  const { money } = useNumbers();
  const t = useTranslations("subscriptions.detail.card");
  const { dayOf } = useClock();
  const { plan, next_plan, next_charge_at: next, paused_at } = subscription;
  const due = dueNow(subscription);
  const amount = money(cents((next_plan ?? plan).amount));
  return (
    <Effects
      of={[
        due !== null && t("charged", { amount: money(cents(due)) }),
        due !== null && t("refused"),
        due === null && (paused_at ? t("paused") : next ? t("next", { amount, day: dayOf(next) }) : t("nothing")),
        t("deleted"),
        t("consent"),
      ]}
    />
  );
}
