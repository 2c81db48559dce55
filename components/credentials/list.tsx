"use client";
import { useTranslations } from "use-intl";
import { useApi, useMay } from "@/components/account";
import { List, type ListProps } from "@/components/list/list";
import { Rows } from "@/components/list/row";
import type { ListPage } from "@/components/list/source";
import { useList } from "@/components/list/use-list";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Time } from "@/components/ui/time";
import type { Credential } from "@/lib/credentials/schema";

const Create = lazyWindow(() => import("@/components/credentials/create").then((module) => module.CreateCredential));

export function Credentials({ source, curl }: ListProps<ListPage<Credential>, "page">) {
  const t = useTranslations("credentials");
  const mayWrite = useMay("credentials:write");
  return (
    <List
      {...useList(source, useApi().account)}
      title={t("title")}
      purpose={t("purpose")}
      add={mayWrite && { label: t("new"), dialog: Create }}
      empty={t("empty")}
      curl={curl}
      isForDevelopers
      rows={3}
    >
      {(rows) => (
        <Rows>
          {rows.map((credential) => (
            <Row key={credential.client_id} credential={credential} mayRevoke={mayWrite} />
          ))}
        </Rows>
      )}
    </List>
  );
}

function Row({ credential, mayRevoke }: { credential: Credential; mayRevoke: boolean }) {
  const t = useTranslations("credentials");
  const { client_id: id, name, secret_last4, api_key_last4, created_at, last_used_at } = credential;
  const api = useApi();
  return (
    <li className="grid gap-x-8 gap-y-3 border-t py-4 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1.6fr)_auto] md:items-center">
      <div className="grid min-w-0">
        <h2 className="truncate font-semibold">{name}</h2>
        <p className="text-caption text-muted">
          {last_used_at ? (
            <>
              {t("used")} <Time at={last_used_at} real />
            </>
          ) : (
            <>
              {t("neverUsed")} · {t("created")} <Time at={created_at} real />
            </>
          )}
        </p>
      </div>
      <div className="grid min-w-0 gap-0.5">
        <Copyable text={id} label={t("copyId")} />
        <p className="font-mono text-caption text-muted">
          {t("secretEnds", { last4: secret_last4 })} · {t("keyEnds", { last4: api_key_last4 })}
        </p>
      </div>
      {mayRevoke && (
        <ConfirmButton
          look="quiet"
          size="small"
          className="justify-self-start"
          aria-label={t("revokeNamed", { name })}
          title={t("revokeNamed", { name })}
          help={t("revokeHelp")}
          action={t("revokeNow")}
          act={() => api.delete(`/api/partner/v1/credentials/${id}`)}
          done={t("revoked")}
          refresh={[api.account, "credentials"]}
        >
          {t("revoke")}
        </ConfirmButton>
      )}
    </li>
  );
}
