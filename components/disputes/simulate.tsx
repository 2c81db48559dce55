"use client";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { useAction } from "@/components/ui/action";
import { Button } from "@/components/ui/button";

const ends = ["win", "lose", "cancel"] as const;

/** In a sandbox: says how the simulated provider decides. */
export function SimulateEnd({ code }: { code: string }) {
  const t = useTranslations("disputes.simulate");
  const api = useApi();
  const { isPending, variables, mutate } = useAction({
    act: (how: (typeof ends)[number]) => api.post(`/api/partner/v1/sandbox/disputes/${code}/${how}`),
    done: t("done"),
    refresh: [api.account],
  });
  return ends.map((how) => (
    <Button key={how} look="quiet" busy={isPending && variables === how} onClick={() => mutate(how)}>
      {t(how)}
    </Button>
  ));
}
