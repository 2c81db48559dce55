"use client";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/error-text";
import { useApi, useMay } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Section } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Domain } from "@/lib/cards/schema";

const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

type Props = { domains: Domain[]; most: number; action: ReactNode; curl: string };

/** Where the key works. */
export function Domains({ domains, most, action, curl }: Props) {
  const t = useTranslations("publicKey");
  const isFull = domains.length >= most;
  return (
    <Section
      title={t("domains")}
      aside={
        <span className="text-caption text-muted">
          {t("count", { count: String(domains.length), most: String(most) })}
        </span>
      }
    >
      {domains.length === 0 ? (
        <Empty action={action} curl={curl}>
          {t("empty")}
        </Empty>
      ) : (
        <ul className="border-b">
          {domains.map((domain) => (
            <Row key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
      {isFull && <p className="mt-2 text-caption text-muted">{t("full")}</p>}
    </Section>
  );
}

function Row({ domain: { id, origin, created_at } }: { domain: Domain }) {
  const t = useTranslations("publicKey");
  const api = useApi();
  const client = useQueryClient();
  const errorText = useErrorText();
  const mayWrite = useMay("cards:write");
  const [asking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.delete(`/api/partner/v1/public-key/domains/${id}`),
    onSuccess: () => toast(t("removed")),
    onError: (error) => toast(errorText(error), "bad"),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: [api.account, "public-key"] });
      setAsking(false);
    },
  });
  return (
    <li className="flex items-center gap-x-6 border-t py-2">
      <div className="grid min-w-0 flex-1 sm:flex sm:items-baseline sm:justify-between sm:gap-6">
        <p className="min-w-0 break-all font-medium">{origin}</p>
        <p className="text-caption text-muted">
          <Time at={created_at} />
        </p>
      </div>
      {mayWrite && (
        <Button
          look="quiet"
          size="small"
          className="-mr-2.5"
          onClick={() => setAsking(true)}
          aria-label={t("removeNamed", { origin })}
        >
          {t("remove")}
        </Button>
      )}
      {asking && (
        <Confirm
          title={t("removeNamed", { origin })}
          action={t("removeNow")}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onClose={() => setAsking(false)}
        >
          {t("removeHelp")}
        </Confirm>
      )}
    </li>
  );
}
