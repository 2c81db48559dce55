"use client";
import { useTranslations } from "use-intl";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { closeDifference, DIFFERENCES } from "@/components/operator/difference-queries";
import { useStaffMay } from "@/components/operator/person";
import { SellerLink } from "@/components/operator/seller-link";
import { CopyButton } from "@/components/ui/copy";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextAreaField } from "@/components/ui/form";
import { Facts } from "@/components/ui/page";
import { Time } from "@/components/ui/time";
import { MAX_REASON, type Difference as Shown } from "@/lib/differences/schema";

type Props = { difference: Shown; onClose: () => void };

/** What both sides have, what to do about it, and how it is closed or was. */
export function Difference({ difference, onClose }: Props) {
  const t = useTranslations("differences");
  const mayClose = useStaffMay("money:write");
  const {
    kind,
    fault,
    status,
    record,
    parent,
    provider_title: provider,
    account,
    reason,
    closed_by,
    closed_at,
  } = difference;
  const { amount_there, amount_here, state_there, state_here } = difference;
  return (
    <Dialog
      title={
        <>
          {t(`kinds.${kind}`)} <span className="font-normal text-muted">· {t(`faults.${fault}`)}</span>
        </>
      }
      description={t(`advice.${kind}.${fault}`, { provider })}
      onClose={onClose}
    >
      <div className="grid gap-6">
        <Facts
          rows={[
            [t("there", { provider }), <Side key="there" amount={amount_there} state={state_there} />],
            [t("here"), <Side key="here" amount={amount_here} state={state_here} />],
            [t("record"), <Id key="record">{record}</Id>],
            parent !== null && [t(`parents.${kind}`), <Id key="parent">{parent}</Id>],
            account && [
              t("account"),
              <SellerLink key="account" id={account.id}>
                {account.name}
              </SellerLink>,
            ],
            [t("happened"), <Time key="happened" at={difference.happened_at} real absolute />],
            [t("firstSeen"), <Time key="first" at={difference.first_seen_at} real absolute />],
            [t("lastSeen"), <Time key="last" at={difference.last_seen_at} real absolute />],
            closed_at !== null && [t("closedAt"), <Time key="closed" at={closed_at} real absolute />],
            closed_by !== null && [t("closedBy"), closed_by],
            reason !== null && [t("reason"), reason],
          ]}
        />
        {status === "open" && mayClose && <Close difference={difference} onClose={onClose} />}
      </div>
    </Dialog>
  );
}

/** What one side has of it. */
function Side({ amount, state }: { amount: string | null; state: Shown["state_there"] }) {
  const t = useTranslations("differences");
  const { money } = useNumbers();
  if (amount === null || state === null) return t("missing");
  return (
    <>
      {money(cents(amount))} · {t(`states.${state}`)}
    </>
  );
}

const Id = ({ children }: { children: string }) => (
  <span className="flex items-center gap-1">
    <code className="min-w-0 wrap-anywhere font-mono text-caption">{children}</code>
    <CopyButton text={children} iconOnly className="-my-1.5 size-7 shrink-0" />
  </span>
);

function Close({ difference: { id, updated_at }, onClose }: Props) {
  const t = useTranslations("differences.close");
  const form = useApiForm({
    schema: () => import("@/lib/differences/schema").then(({ CloseBody }) => CloseBody),
    defaultValues: { reason: "" },
    body: ({ reason }) => ({ reason, updated_at }),
    send: (body) => closeDifference(id, body),
    ...{ refresh: DIFFERENCES, done: t("done"), onSuccess: onClose },
  });
  return (
    <Form form={form}>
      <TextAreaField
        form={form}
        name="reason"
        label={t("reason")}
        help={t("help")}
        fault={t("fault")}
        maxLength={MAX_REASON}
      />
      <Submit form={form}>{t("action")}</Submit>
    </Form>
  );
}
