"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { payeeText } from "@/components/withdrawals/key";
import type { WithdrawalDetail } from "@/lib/withdrawals/schema";
import { openWithdrawals } from "@/lib/withdrawals/states";

type Props = { withdrawal: WithdrawalDetail };

/** What may be done with a withdrawal now, and its receipt once it was paid. */
export function WithdrawalActions({ withdrawal }: Props) {
  const t = useTranslations("withdrawals");
  const mayWrite = useMay("withdrawals:write");
  const { reference_id: id, allowed_actions: allowed, status, asked_by, may_decide } = withdrawal;
  const waits = status === "awaiting_approval";
  return (
    <div className="flex flex-wrap items-center gap-2">
      {waits && may_decide && <Decide withdrawal={withdrawal} />}
      {waits && asked_by.is_mine && !may_decide && <p className="text-caption text-muted">{t("own")}</p>}
      {mayWrite && allowed.includes("cancel") && !may_decide && <Cancel withdrawal={withdrawal} />}
      {(status === "paid" || status === "returned") && (
        <ButtonLink href={`/withdrawals/${id}/receipt`}>{t("receipt.open")}</ButtonLink>
      )}
      <Simulate withdrawal={withdrawal} />
    </div>
  );
}

/** The buttons of the second person. */
function Decide({ withdrawal }: Props) {
  const { reference_id: id, amount, total } = withdrawal;
  const { money } = useNumbers();
  const t = useTranslations("withdrawals");
  const api = useApi();
  const values = { amount: money(cents(amount)), total: money(cents(total)), name: payeeText(withdrawal) };
  return (
    <>
      <ConfirmButton
        look="primary"
        title={t("approve.title")}
        help={t("approve.help", values)}
        action={t("approve.action")}
        actionLook="primary"
        act={() => api.post(`/api/partner/v1/withdrawals/${id}/approve`)}
        done={t("approve.done")}
        refresh={[api.account]}
      >
        {t("approve.action")}
      </ConfirmButton>
      <ConfirmButton
        look="quiet"
        title={t("reject.title")}
        help={t("reject.help", values)}
        action={t("reject.action")}
        act={() => api.post(`/api/partner/v1/withdrawals/${id}/reject`)}
        done={t("reject.done")}
        refresh={[api.account]}
      >
        {t("reject.action")}
      </ConfirmButton>
    </>
  );
}

function Cancel({ withdrawal: { reference_id: id, total } }: Props) {
  const { money } = useNumbers();
  const t = useTranslations("withdrawals.cancel");
  const api = useApi();
  return (
    <ConfirmButton
      title={t("title")}
      help={t("help", { total: money(cents(total)) })}
      action={t("action")}
      act={() => api.post(`/api/partner/v1/withdrawals/${id}/cancel`)}
      done={t("done")}
      refresh={[api.account]}
    >
      {t("action")}
    </ConfirmButton>
  );
}

/** In a sandbox: says how the simulated provider ends it. */
function Simulate({ withdrawal: { reference_id: id, status } }: Props) {
  const t = useTranslations("withdrawals.simulate");
  const api = useApi();
  const maySimulate = useMay("sandbox:write");
  const isSandbox = useSession().account.mode === "sandbox";
  const end = useAction({
    act: (how: "confirm" | "fail") => api.post(`/api/partner/v1/sandbox/cash-out/${id}/${how}`),
    done: t("done"),
    refresh: [api.account],
  });
  const isOpen = openWithdrawals.some((open) => open === status && open !== "awaiting_approval");
  if (!isSandbox || !maySimulate || !isOpen) return null;
  return (["confirm", "fail"] as const).map((how) => (
    <Button key={how} look="quiet" busy={end.isPending && end.variables === how} onClick={() => end.mutate(how)}>
      {t(how)}
    </Button>
  ));
}
