"use client";
import { ArrowDown, ArrowUp } from "lucide-react";
import { type ComponentProps, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import type { Order } from "@/components/plans/order";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import type { Plan } from "@/lib/plans/schema";

const Editor = lazyWindow(() => import("@/components/plans/editor").then((module) => module.PlanEditor));
const Splits = lazyWindow(() => import("@/components/plans/splits").then((module) => module.PlanSplits));

type Props = { productId: string; plan: Plan };

/** What can be done with a plan. */
export function PlanActions({ productId, plan }: Props) {
  const t = useTranslations("plans");
  const [open, setOpen] = useState<"editor" | "splits">();
  const close = () => setOpen(undefined);
  const maySeeSplits = useMay("splits:read");
  const { name } = plan;
  return (
    <>
      <Action aria-label={t("editNamed", { name })} onClick={() => setOpen("editor")}>
        {t("edit")}
      </Action>
      {maySeeSplits && (
        <Action aria-label={t("splits.openNamed", { name })} onClick={() => setOpen("splits")}>
          {t("splits.open")}
        </Action>
      )}
      <Writes productId={productId} plan={plan} />
      {open === "editor" && <Editor productId={productId} plan={plan} onClose={close} />}
      {open === "splits" && <Splits plan={plan} onClose={close} />}
    </>
  );
}

const Action = (props: ComponentProps<typeof Button>) => <Button look="quiet" size="small" {...props} />;

function Writes({ productId, plan: { name, token, status, is_default } }: Props) {
  const t = useTranslations("plans");
  const api = useApi();
  const path = `/api/partner/v1/products/${productId}/subscription-plans/${token}` as const;
  const refresh = [api.account]; // also the product, which is sold or not by its plans
  const write = useAction({ act: (body: object) => api.put(path, body), refresh });
  const makeDefault = useAction({ act: () => api.patch(`${path}/default`, {}), done: t("isDefault"), refresh });
  const [verb, next] = status === "active" ? (["deactivate", "inactive"] as const) : (["activate", "active"] as const);
  return (
    <>
      {!is_default && (
        <Action
          aria-label={t("makeDefaultNamed", { name })}
          busy={makeDefault.isPending}
          onClick={() => makeDefault.mutate()}
        >
          {t("makeDefault")}
        </Action>
      )}
      <Action
        aria-label={t(`${verb}Named`, { name })}
        busy={write.isPending}
        onClick={() => write.mutate({ status: next })}
      >
        {t(verb)}
      </Action>
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
    </>
  );
}

type Move = { plan: Plan; place: number; count: number; order: Order };

/** Moves a plan by one place up or down. */
export function MoveButtons({ plan: { name, token }, place, count, order }: Move) {
  const t = useTranslations("plans");
  return (
    <>
      <Button
        look="quiet"
        size="icon"
        aria-label={t("moveUpNamed", { name })}
        disabled={place === 0}
        onClick={() => order.step(token, -1)}
      >
        <ArrowUp aria-hidden="true" />
      </Button>
      <Button
        look="quiet"
        size="icon"
        aria-label={t("moveDownNamed", { name })}
        disabled={place === count - 1}
        onClick={() => order.step(token, 1)}
      >
        <ArrowDown aria-hidden="true" />
      </Button>
    </>
  );
}
