"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { AdvanceForm } from "@/components/clock-page/form";
import { advanceQuery, clockQuery } from "@/components/clock-page/queries";
import { ResetSection } from "@/components/clock-page/reset";
import { Simulations } from "@/components/clock-page/simulations";
import { useDates } from "@/components/format";
import { AccountLink } from "@/components/ui/link";
import { Loaded } from "@/components/ui/loaded";
import { Figure, PageHead } from "@/components/ui/page";
import { RowsSkeleton } from "@/components/ui/skeleton";
import type { Advanced, Clock } from "@/lib/sandbox/schema";

/** The sandbox's clock: its present, and how it is moved ahead. */
export function ClockPage() {
  const t = useTranslations("clock");
  const { account } = useApi();
  const [isAsked, setAsked] = useState(false);
  const result = useQuery(clockQuery(account, isAsked));
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} />
      <Loaded result={result} skeleton={<RowsSkeleton rows={4} />}>
        {(clock) => <Known clock={clock} onAsk={setAsked} />}
      </Loaded>
      <div className="mt-10 grid max-w-[560px] gap-8">
        <Simulations />
        <ResetSection />
      </div>
    </>
  );
}

type Props = { clock: Clock; onAsk: (isAsked: boolean) => void };

function Known({ clock, onAsk }: Props) {
  const t = useTranslations("clock");
  const { full } = useDates();
  const mayMove = useMay("sandbox:write");
  const { advance, watch } = useAdvance(clock);
  return (
    <div className="grid max-w-[560px] gap-8">
      <Figure label={t("now")} note={aheadOf(clock.days_ahead, t)}>
        <time dateTime={clock.now}>{full(clock.now)}</time>
      </Figure>
      <div role="status" className="empty:hidden">
        {advance &&
          (advance.done ? <Done advance={advance} /> : <Running key={advance.progress_id} advance={advance} />)}
      </div>
      {mayMove && <AdvanceForm now={clock.now} isRunning={advance?.done === false} onAsk={onAsk} onAdvance={watch} />}
    </div>
  );
}

function aheadOf(days: number, t: ReturnType<typeof useTranslations<"clock">>) {
  if (days <= 0) return t("onTime");
  return days < 1 ? t("aheadLittle") : t("ahead", { count: Math.round(days) });
}

/** The advance that runs, or the last one that was seen to run here; when it ends, all that the page shows is read again. */
function useAdvance(clock: Clock) {
  const { account } = useApi();
  const client = useQueryClient();
  const router = useRouter();
  const [watched, watch] = useState<Advanced | null>(clock.advance);
  const running = clock.advance ?? watched;
  if (running && running.progress_id !== watched?.progress_id) watch(running);
  const { data } = useQuery(advanceQuery(account, watched?.done ? undefined : watched?.progress_id));
  const advance = data?.progress_id === watched?.progress_id ? (data ?? watched) : watched;
  const ended = advance?.done ? advance.progress_id : undefined;
  useEffect(() => {
    if (!ended) return;
    client.invalidateQueries({ queryKey: [account] });
    router.refresh(); // the frame around the page has the account's present too
  }, [ended, account, client, router]);
  return { advance, watch };
}

/** How far an advance is, from where it was first seen. */
function Running({ advance }: { advance: Advanced }) {
  const t = useTranslations("clock");
  const { full } = useDates();
  const [from] = useState(() => Date.parse(advance.now));
  const whole = Math.max(1, Date.parse(advance.target) - from);
  const gone = Math.min(whole, Math.max(0, Date.parse(advance.now) - from));
  return (
    <section className="grid gap-2 border-t pt-4">
      <h2 className="font-semibold">{t("running")}</h2>
      <progress aria-label={t("running")} value={gone} max={whole} className="h-2 w-full accent-accent" />
      <p>{t("towards", { target: full(advance.target), count: advance.processed })}</p>
      <p className="text-caption text-muted">{t("goesOn")}</p>
    </section>
  );
}

function Done({ advance: { now, target, processed, stopped_by } }: { advance: Advanced }) {
  const t = useTranslations("clock");
  const { full } = useDates();
  const link = "font-medium text-accent underline underline-offset-4";
  return (
    <section className="grid gap-2 border-t pt-4">
      <h2 className="font-semibold">
        {stopped_by ? t("stopped", { now: full(now) }) : t("done", { target: full(target) })}
      </h2>
      {stopped_by && <p>{t("full", { target: full(target) })}</p>}
      <p>{t("processed", { count: processed })}</p>
      {processed > 0 && (
        <p className="flex flex-wrap gap-x-4">
          <AccountLink href="/subscriptions" className={link}>
            {t("subscriptions")}
          </AccountLink>
          <AccountLink href="/transactions" className={link}>
            {t("sales")}
          </AccountLink>
        </p>
      )}
    </section>
  );
}
