"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { cents, money, percent } from "@/components/format";
import { StatusWord } from "@/components/plans/status";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { decimal } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";

const Editor = lazyWindow(() => import("@/components/plans/editor").then((module) => module.PlanEditor));

const Splits = lazyWindow(() => import("@/components/plans/splits").then((module) => module.PlanSplits));

type Props = { productId: string; plan: Plan; plans: readonly Plan[] };

/** A plan: what it costs and how it is billed, and what can be done with it. */
export function PlanRow({ productId, plan, plans }: Props) {
  const t = useTranslations("plans");
  const { name, amount, periodicity_days: days, billing_method, status, is_default, splits } = plan;
  return (
    <li className="grid gap-y-2 border-t py-3">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="min-w-0 break-words">
          <span className="font-semibold">{name}</span>
          {is_default && <span className="ml-2 text-caption text-muted">{t("default")}</span>}
        </p>
        <p className="tabular-nums">{t("price", { amount: money(cents(amount)), count: days })}</p>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <p className="flex flex-wrap items-center gap-x-4 text-caption text-muted">
          <StatusWord status={status} />
          {t(`methods.${billing_method}`)}
          {splits.length > 0 && <span>{t("splits.shared", { percentage: sumOf(splits), count: splits.length })}</span>}
        </p>
        {useMay("plans:write") && <Actions productId={productId} plan={plan} plans={plans} />}
      </div>
    </li>
  );
}

const sumOf = (splits: Plan["splits"]) =>
  percent(decimal(splits.reduce((sum, { percentage }) => sum + cents(percentage), 0)));

function Actions({ productId, plan, plans }: Props) {
  const t = useTranslations("plans");
  const api = useApi();
  const [open, setOpen] = useState<"editor" | "splits">();
  const close = () => setOpen(undefined);
  const maySeeSplits = useMay("splits:read");
  const { name, token, status, is_default } = plan;
  const path = `/api/partner/v1/products/${productId}/subscription-plans/${token}` as const;
  const refresh = [api.account, "plans", productId];
  const write = useAction({ act: (body: object) => api.put(path, body), refresh });
  const makeDefault = useAction({ act: () => api.patch(`${path}/default`, {}), done: t("isDefault"), refresh });
  const at = plans.findIndex((one) => one.token === token);
  return (
    <div className="-mx-2.5 flex flex-wrap items-center">
      <MoveButton {...{ productId, plans, at }} by={-1} />
      <MoveButton {...{ productId, plans, at }} by={1} />
      <Button look="quiet" size="small" aria-label={t("editNamed", { name })} onClick={() => setOpen("editor")}>
        {t("edit")}
      </Button>
      {maySeeSplits && (
        <Button
          look="quiet"
          size="small"
          aria-label={t("splits.openNamed", { name })}
          onClick={() => setOpen("splits")}
        >
          {t("splits.open")}
        </Button>
      )}
      {!is_default && (
        <Button
          look="quiet"
          size="small"
          aria-label={t("makeDefaultNamed", { name })}
          busy={makeDefault.isPending}
          onClick={() => makeDefault.mutate()}
        >
          {t("makeDefault")}
        </Button>
      )}
      <Button
        look="quiet"
        size="small"
        aria-label={t(status === "active" ? "deactivateNamed" : "activateNamed", { name })}
        busy={write.isPending}
        onClick={() => write.mutate({ status: status === "active" ? "inactive" : "active" })}
      >
        {t(status === "active" ? "deactivate" : "activate")}
      </Button>
      <ConfirmButton
        look="quiet"
        size="small"
        aria-label={t("archiveNamed", { name })}
        title={t("archiveNamed", { name })}
        help={t("archiveHelp")}
        action={t("archive")}
        act={() => api.delete(`/api/partner/v1/subscription-plans/${token}`)}
        done={t("archived")}
        refresh={refresh}
      >
        {t("archive")}
      </ConfirmButton>
      {open === "editor" && <Editor productId={productId} plan={plan} onClose={close} />}
      {open === "splits" && <Splits plan={plan} onClose={close} />}
    </div>
  );
}

type Move = { productId: string; plans: readonly Plan[]; at: number; by: -1 | 1 };

/** Moves a plan by one place: every plan whose place then differs gets its new one. */
function MoveButton({ productId, plans, at, by }: Move) {
  const t = useTranslations("plans");
  const api = useApi();
  const move = useAction({
    async act() {
      const moved = [...plans];
      moved.splice(at + by, 0, ...moved.splice(at, 1));
      for (const [place, { token, display_order }] of moved.entries()) {
        const path = `/api/partner/v1/products/${productId}/subscription-plans/${token}` as const;
        if (display_order !== place) await api.put(path, { display_order: place });
      }
    },
    refresh: [api.account, "plans", productId],
  });
  const Icon = by < 0 ? ArrowUp : ArrowDown;
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={t(by < 0 ? "moveUpNamed" : "moveDownNamed", { name: plans[at]?.name ?? "" })}
      disabled={plans[at + by] === undefined}
      busy={move.isPending}
      onClick={() => move.mutate()}
    >
      <Icon aria-hidden="true" />
    </Button>
  );
}
