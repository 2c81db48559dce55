"use client";
import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Section } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import type { Domain } from "@/lib/public-keys/schema";

type Props = { domains: Domain[]; max: number; action: ReactNode; curl: string | undefined };

/** The domains on which the key works. */
export function Domains({ domains, max, action, curl }: Props) {
  const t = useTranslations("publicKey");
  const isFull = domains.length >= max;
  return (
    <Section
      title={t("domains")}
      aside={
        <span className="text-caption text-muted">
          {t("count", { count: String(domains.length), max: String(max) })}
        </span>
      }
    >
      {domains.length === 0 ? (
        <Empty action={action} curl={curl} isForDevelopers>
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
  const mayWrite = useMay("cards:write");
  return (
    <li className="flex items-center gap-x-6 border-t py-2">
      <div className="grid min-w-0 flex-1 sm:flex sm:items-baseline sm:justify-between sm:gap-6">
        <p className="min-w-0 break-all font-medium">{origin}</p>
        <p className="text-caption text-muted">
          <Time at={created_at} real />
        </p>
      </div>
      {mayWrite && (
        <ConfirmButton
          look="quiet"
          size="small"
          className="-mr-2.5"
          aria-label={t("removeNamed", { origin })}
          title={t("removeNamed", { origin })}
          help={t("removeHelp")}
          action={t("removeNow")}
          act={() => api.delete(`/api/partner/v1/public-key/domains/${id}`)}
          done={t("removed")}
          refresh={[api.account, "public-key"]}
        >
          {t("remove")}
        </ConfirmButton>
      )}
    </li>
  );
}
