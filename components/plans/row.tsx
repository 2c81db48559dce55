"use client";
import { clsx } from "clsx";
import { GripVertical } from "lucide-react";
import { useTranslations } from "use-intl";
import { useMay, useMaySell } from "@/components/account";
import { cents, useNumbers, usePeriod } from "@/components/format";
import { MoveButtons, PlanActions } from "@/components/plans/actions";
import type { Order } from "@/components/plans/order";
import { StatusWord } from "@/components/plans/status";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { AccountLink } from "@/components/ui/link";
import { decimal } from "@/lib/money";
import type { Plan } from "@/lib/plans/schema";

type Props = {
  productId: string;
  plan: Plan;
  place: number;
  count: number;
  /** How it is moved among the others; none where it cannot be. */
  order: Order | undefined;
};

/** A plan: what it costs and how it is billed, and what can be done with it. */
export function PlanRow({ productId, plan, place, count, order }: Props) {
  const { money, percent } = useNumbers();
  const t = useTranslations("plans");
  const period = usePeriod();
  const { token, name, amount, billing_method, status, is_default, splits } = plan;
  const maySell = useMaySell();
  const maySeeSales = useMay("transactions:read");
  const active = plan.active_subscriptions_count;
  return (
    <li
      style={order?.styleOf(place)}
      className={clsx(
        "flex gap-1 border-t py-3",
        order?.isDragged(place) && "relative z-10 -mx-3 rounded-card bg-surface px-3 shadow-float outline outline-line",
      )}
    >
      {order && <Handle name={name} {...order.handle(place)} />}
      <div className="grid min-w-0 flex-1 gap-y-2">
        <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <p className="min-w-0 wrap-anywhere">
            <span className="font-semibold">{name}</span>
            {is_default && <span className="ml-2 text-caption text-muted">{t("default")}</span>}
          </p>
          <p className="tabular-nums">{t("price", { amount: money(cents(amount)), period: period(plan) })}</p>
        </div>
        <p className="flex flex-wrap items-center gap-x-4 text-caption text-muted">
          <StatusWord status={status} />
          <span>{t(`methods.${billing_method}`)}</span>
          {splits.length > 0 && (
            <span>{t("splits.shared", { percentage: percent(sumOf(splits)), count: splits.length })}</span>
          )}
          {maySeeSales && (
            <AccountLink
              href={`/transactions?plan=${token}`}
              aria-label={t("salesNamed", { name })}
              className="underline underline-offset-4 hover:text-ink"
            >
              {t("sales")}
            </AccountLink>
          )}
          {active > 0 && (
            <AccountLink
              href={`/subscriptions?plan=${token}&status=active`}
              className="underline underline-offset-4 hover:text-ink"
            >
              {t("active", { count: active })}
            </AccountLink>
          )}
        </p>
        {status === "active" && maySell ? (
          <Address
            url={plan.checkout_url}
            copy={t("copyAddress")}
            open={t("openPage")}
            copyNamed={t("copyNamed", { name })}
            openNamed={t("openNamed", { name })}
          />
        ) : (
          <p className="text-caption text-muted">{t(status === "active" ? "afterApproval" : "notSold")}</p>
        )}
        {useMay("plans:write") && (
          <div className="-mx-2.5 flex flex-wrap items-center">
            {order && <MoveButtons plan={plan} place={place} count={count} order={order} />}
            <PlanActions productId={productId} plan={plan} />
          </div>
        )}
      </div>
    </li>
  );
}

const sumOf = (splits: Plan["splits"]) => decimal(splits.reduce((sum, { percentage }) => sum + cents(percentage), 0));

/** What a plan is dragged by; the arrow keys move it too. A finger on it drags and does not scroll. */
function Handle({ name, ...events }: { name: string } & ReturnType<Order["handle"]>) {
  const t = useTranslations("plans");
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={t("dragNamed", { name })}
      title={t("dragNamed", { name })}
      className="-mt-1.5 -ml-2 !cursor-grab touch-none text-muted active:!cursor-grabbing max-sm:-ml-3 max-sm:size-10"
      {...events}
    >
      <GripVertical aria-hidden="true" />
    </Button>
  );
}
