"use client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { useDates } from "@/components/format";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";
import { Section } from "@/components/ui/page";
import { deliveries, replayQuery } from "@/components/webhooks/queries";
import type { Replay } from "@/lib/webhooks/schema";

/** How far the last replay of a webhook has come; nothing where there was none. */
export function LastReplay({ id }: { id: string }) {
  const { data } = useQuery(replayQuery(useApi().account, id));
  return data?.data ? <Known id={id} replay={data.data} /> : null;
}

function Known({ id, replay }: { id: string; replay: Replay }) {
  const t = useTranslations("webhooks.replay");
  useDeliveriesAnew(id, replay);
  const { full, until } = useDates();
  const { state, planned, only_failed } = replay;
  const [from, to, reached] = [replay.from, replay.to, replay.reached_at].map((at) => Date.parse(at)) as Times;
  const isRunning = state === "running";
  if (state === "dry_run") return null;
  return (
    <Section title={t(`states.${state}`)} aside={isRunning && <Stop id={id} />}>
      <div className="grid gap-2 pb-4">
        {isRunning && (
          <progress
            aria-label={t("states.running")}
            value={Math.min(Math.max(reached - from, 0), to - from)}
            max={to - from}
            className="h-2 w-full accent-accent"
          />
        )}
        <p>{t("planned", { count: planned })}</p>
        <p className="text-caption text-muted">
          {t(only_failed ? "ofFailed" : "ofAll", { from: full(replay.from), to: until(replay.to) })}
          {isRunning && ` ${t("goesOn")}`}
        </p>
      </div>
    </Section>
  );
}

/** Reads the deliveries again when more of them are planned. */
function useDeliveriesAnew(id: string, { planned }: Replay) {
  const { account } = useApi();
  const client = useQueryClient();
  const seen = useRef(planned);
  useEffect(() => {
    if (planned !== seen.current) client.invalidateQueries({ queryKey: [account, ...deliveries(id).key] });
    seen.current = planned;
  }, [planned, account, client, id]);
}

type Times = [from: number, to: number, reached: number];

function Stop({ id }: { id: string }) {
  const t = useTranslations("webhooks.replay");
  const api = useApi();
  const mayWrite = useMay("webhooks:write");
  const stop = useAction({
    act: () => api.delete(`/api/partner/v1/webhooks/${id}/replay`),
    done: t("stopped"),
    refresh: [api.account, "webhooks"],
  });
  return (
    mayWrite && (
      <Button size="small" busy={stop.isPending} onClick={() => stop.mutate()}>
        {t("stop")}
      </Button>
    )
  );
}
