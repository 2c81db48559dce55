"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { useStaffMay } from "@/components/operator/person";
import { SellerLink } from "@/components/operator/seller-link";
import { liftStop, PAYOUTS, payoutsQuery } from "@/components/operator/withdrawal-queries";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { PageHead, Section } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { PlaceOfStop, Payouts as Read } from "@/lib/withdrawals/schema";

const StopForm = lazyWindow(() => import("@/components/operator/payout-stop").then((module) => module.StopForm));

/** Where payouts go and where they are stopped; whoever may move money stops them and lets them go. */
export function Payouts() {
  const t = useTranslations("payoutStops");
  const result = useQuery(payoutsQuery);
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Loaded result={result} skeleton={<RowsSkeleton rows={3} />}>
        {({ data }) => (
          <div className="grid gap-8">
            <Section title={t("all")} className="!border-t-0 !pt-0">
              <Place payouts={data} scope="all" target="" name={t("everything")} />
            </Section>
            <Section title={t("rails")}>
              <ul>
                {data.rails.map((name) => (
                  <li key={name} className="border-t first:border-t-0">
                    <Place payouts={data} scope="rail" target={name} name={name} />
                  </li>
                ))}
              </ul>
            </Section>
            <Accounts payouts={data} />
          </div>
        )}
      </Loaded>
    </>
  );
}

/** The accounts that are stopped. */
function Accounts({ payouts }: { payouts: Read }) {
  const t = useTranslations("payoutStops");
  const stopped = payouts.stops.filter(({ scope }) => scope === "account");
  return (
    <Section title={t("accounts")}>
      <p className="mb-2 text-muted">{t(stopped.length === 0 ? "noAccounts" : "accountsHelp")}</p>
      <ul>
        {stopped.map(({ target, account_name }) => (
          <li key={target} className="border-t first:border-t-0">
            <Place payouts={payouts} scope="account" target={target} name={account_name ?? target} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

type PlaceProps = PlaceOfStop & { payouts: Read; name: string };

/** One place: whether payouts go, why and by whom they do not, what waits, and the switch. */
export function Place({ payouts: { stops, waiting }, scope, target, name }: PlaceProps) {
  const t = useTranslations("payoutStops");
  const { money } = useNumbers();
  const stop = stops.find((one) => one.scope === scope && one.target === target);
  const there = waiting.filter(
    (one) => scope === "all" || (scope === "rail" ? one.provider : one.account_id) === target,
  );
  const count = there.reduce((sum, one) => sum + one.count, 0);
  const amount = money(there.reduce((sum, one) => sum + cents(one.amount), 0));
  return (
    <div className="grid gap-x-8 gap-y-3 py-4 md:grid-cols-[minmax(0,1fr)_auto] md:items-start">
      <div className="grid min-w-0 gap-1">
        <p className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {scope === "account" ? (
            <SellerLink id={target} className="wrap-anywhere font-semibold underline underline-offset-4">
              {name}
            </SellerLink>
          ) : (
            <span className="font-semibold">{name}</span>
          )}
          <Status tone={stop ? "bad" : "good"}>{t(stop ? "stopped" : "going")}</Status>
        </p>
        {stop && (
          <>
            <p className="wrap-anywhere">{stop.reason}</p>
            <p className="wrap-anywhere text-caption text-muted">
              {t("by", { name: stop.stopped_by })} <Time at={stop.created_at} absolute />
            </p>
          </>
        )}
        <p className="text-caption text-muted">{count === 0 ? t("nothingWaits") : t("waits", { count, amount })}</p>
      </div>
      <Switch place={{ scope, target }} name={name} isStopped={stop !== undefined} />
    </div>
  );
}

type SwitchProps = { place: PlaceOfStop; name: string; isStopped: boolean };

/** Stops the payouts of a place, with a reason, or lets them go. */
function Switch({ place, name, isStopped }: SwitchProps) {
  const t = useTranslations("payoutStops");
  const mayChange = useStaffMay("money:write");
  const [stopping, setStopping] = useState(false);
  if (!mayChange) return null;
  return (
    <div>
      {isStopped ? (
        <ConfirmButton
          title={t("resume.title", { name })}
          help={t("resume.help")}
          action={t("resume.action")}
          actionLook="primary"
          act={() => liftStop(place)}
          done={t("resume.done")}
          refresh={PAYOUTS}
        >
          {t("resume.action")}
        </ConfirmButton>
      ) : (
        <Button look="danger" onClick={() => setStopping(true)}>
          {t("stop.open")}
        </Button>
      )}
      {stopping && <StopForm place={place} name={name} onClose={() => setStopping(false)} />}
    </div>
  );
}
