"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useApi, useMay, useMaySell } from "@/components/account";
import { useApiForm } from "@/components/api-form";
import { cents, useNumbers } from "@/components/format";
import { Row, Rows } from "@/components/list/row";
import { splitsOf } from "@/components/plans/queries";
import { agreedOf, Received, typedSplits } from "@/components/plans/received";
import { CancelSplit } from "@/components/splits/cancel";
import { decimalOf } from "@/components/splits/percentage";
import { SplitStatusWord } from "@/components/splits/status";
import { Dialog } from "@/components/ui/dialog";
import { Form, Submit, TextField } from "@/components/ui/form";
import { Loaded } from "@/components/ui/loaded";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { limits } from "@/lib/limits";
import type { Plan } from "@/lib/plans/schema";
import type { Invite } from "@/lib/subscription-splits/schema";

type Props = { plan: Plan; onClose: () => void };

/** The splits of a plan that count, and inviting to another one. */
export function PlanSplits({ plan, onClose }: Props) {
  const t = useTranslations("plans.splits");
  const result = useQuery(splitsOf(useApi().account, plan.token));
  const maySell = useMaySell();
  const mayInvite = useMay("splits:write") && maySell && plan.splits.length < limits.splits;
  return (
    <Dialog title={t("of", { name: plan.name })} description={t("help")} onClose={onClose}>
      <div className="grid gap-6">
        <Loaded result={result} skeleton={<RowsSkeleton rows={2} />}>
          {(invites) => invites.length > 0 && <Open invites={invites} />}
        </Loaded>
        {mayInvite && <Invitation plan={plan} />}
      </div>
    </Dialog>
  );
}

function Open({ invites }: { invites: Invite[] }) {
  const { percent } = useNumbers();
  const { account } = useApi();
  return (
    <Rows>
      {invites.map((invite) => (
        <Row
          key={invite.id}
          heading="h3"
          title={
            <span className="block truncate">
              {percent(invite.percentage)} · {invite.recipient.name || invite.recipient.email}
            </span>
          }
          note={<SplitStatusWord status={invite.status} />}
          end={<CancelSplit invite={invite} refresh={[account]} />}
        />
      ))}
    </Rows>
  );
}

const nobody = { email: "", percentage: "" };

function Invitation({ plan }: { plan: Plan }) {
  const t = useTranslations("plans.splits");
  const api = useApi();
  const form = useApiForm({
    schema: () => import("@/lib/splits/schema").then(({ InviteInput }) => InviteInput),
    defaultValues: nobody,
    body: ({ email, percentage }: typeof nobody) => ({ email, percentage: decimalOf(percentage) }),
    send: (body) => api.post(`/api/partner/v1/subscription-plans/${plan.token}/splits`, body),
    refresh: [api.account], // the plan's row shows how much of it is shared
    done: t("invited"),
    onSuccess: (): void => form.reset(),
  });
  return (
    <Form form={form}>
      <div className="grid grid-cols-[minmax(0,1fr)_112px] items-start gap-2">
        <TextField
          form={form}
          name="email"
          label={t("email")}
          fault={t("faults.email")}
          type="email"
          inputMode="email"
        />
        <TextField
          form={form}
          name="percentage"
          label={t("percentage")}
          fault={t("faults.percentage")}
          inputMode="decimal"
          placeholder="12,5"
        />
      </div>
      <Received
        amount={cents(plan.amount)}
        method={plan.billing_method}
        splits={[...agreedOf(plan), ...typedSplits([form.watch()])]}
      />
      <Submit form={form}>{t("invite")}</Submit>
    </Form>
  );
}
