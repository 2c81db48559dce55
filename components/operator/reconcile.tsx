"use client";
import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "use-intl";
import { useNow } from "@/components/clock";
import { useLasting } from "@/components/operator/lasting";
import { useStaffMay } from "@/components/operator/person";
import { RECONCILES, reconcileNow, reconcileQuery } from "@/components/operator/report-queries";
import { SellerLink } from "@/components/operator/seller-link";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";
import { Status } from "@/components/ui/status";
import { Time } from "@/components/ui/time";
import type { ReconcileRun } from "@/lib/reconcile/schema";

/** How often the page looks whether a comparison that is under way has ended. */
const LOOK_MS = 5_000;

/** The comparisons of all money, and what each found. */
export function Reconcile() {
  const t = useTranslations("reports.reconcile");
  const now = useNow();
  const result = useQuery({
    ...reconcileQuery({}),
    refetchInterval: ({ state }) => (state.data && isDue(state.data.meta.next_at, now) ? LOOK_MS : false),
  });
  const mayRun = useStaffMay("money:write");
  const run = useAction({ act: reconcileNow, done: t("begins"), refresh: RECONCILES });
  return (
    <>
      <PageHead
        title={t("title")}
        purpose={t("purpose")}
        action={
          mayRun && (
            <Button look="primary" busy={run.isPending} onClick={() => run.mutate()}>
              {t("now")}
            </Button>
          )
        }
      />
      <Loaded result={result}>
        {({ data, meta: { next_at } }) => (
          <>
            <p className="mb-4 text-muted">
              {isDue(next_at, now) ? (
                t("underWay")
              ) : (
                <>
                  {t("next")} <Time at={next_at ?? ""} real absolute />
                </>
              )}
            </p>
            {data.length === 0 && <p className="text-muted">{t("empty")}</p>}
            <ul className="border-b">
              {data.map((run) => (
                <Run key={run.id} run={run} />
              ))}
            </ul>
          </>
        )}
      </Loaded>
    </>
  );
}

/** Whether a comparison is under way, or begins at once. */
const isDue = (nextAt: string | null, now: number) => nextAt === null || Date.parse(nextAt) <= now;

function Run({ run: { started_at, ended_at, findings, faults, failure } }: { run: ReconcileRun }) {
  const t = useTranslations("reports.reconcile");
  const lasting = useLasting();
  const seconds = (Date.parse(ended_at) - Date.parse(started_at)) / 1_000;
  const tone = failure !== null || findings > 0 ? "bad" : "good";
  return (
    <li className="grid gap-2 border-t py-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <Status tone={tone}>{failure === null ? t("found", { count: findings }) : t("failed")}</Status>
        <span className="text-caption text-muted">
          <Time at={started_at} real absolute /> · {lasting(seconds)}
        </span>
      </div>
      {failure !== null && <p className="wrap-anywhere text-muted">{failure}</p>}
      {faults.length > 0 && (
        <ul className="grid gap-2">
          {faults.map(({ fault, accountId, id, detail }) => (
            <li key={`${fault} ${accountId} ${id} ${detail}`} className="grid min-w-0">
              <span className="wrap-anywhere font-mono text-caption">
                {fault} {id}
              </span>
              <span className="wrap-anywhere text-muted">
                {detail}
                {accountId && (
                  <>
                    {" · "}
                    <SellerLink id={accountId}>{t("account")}</SellerLink>
                  </>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      {findings > faults.length && (
        <p className="text-caption text-muted">{t("more", { count: findings - faults.length })}</p>
      )}
    </li>
  );
}
