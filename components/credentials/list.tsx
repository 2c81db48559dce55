"use client";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { useClockOffset, useNow } from "@/components/clock";
import { networkText } from "@/components/credentials/values";
import { List, type ListProps } from "@/components/list/list";
import { Rows } from "@/components/list/row";
import type { ListPage } from "@/components/list/source";
import { useList } from "@/components/list/use-list";
import { ScopeList } from "@/components/team/scope-list";
import { Button } from "@/components/ui/button";
import { ConfirmButton } from "@/components/ui/confirm-button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Time } from "@/components/ui/time";
import { isMoneyScope } from "@/lib/auth/scopes";
import type { ListedCredential } from "@/lib/credentials/schema";

const Create = lazyWindow(() => import("@/components/credentials/create").then((module) => module.CreateCredential));
const Edit = lazyWindow(() => import("@/components/credentials/edit").then((module) => module.EditCredential));

export function Credentials({ source, curl }: ListProps<ListPage<ListedCredential>, "page">) {
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
            <Row key={credential.client_id} credential={credential} mayWrite={mayWrite} />
          ))}
        </Rows>
      )}
    </List>
  );
}

function Row({ credential, mayWrite }: { credential: ListedCredential; mayWrite: boolean }) {
  const t = useTranslations("credentials");
  const { client_id: id, name, secret_last4, api_key_last4 } = credential;
  const api = useApi();
  const [editing, setEditing] = useState(false);
  return (
    <li className="grid gap-x-8 gap-y-3 border-t py-4 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1.6fr)_auto] md:items-start">
      <div className="grid min-w-0 gap-0.5">
        <h2 className="truncate font-semibold">{name}</h2>
        <Use credential={credential} />
      </div>
      <div className="grid min-w-0 gap-0.5">
        <Copyable text={id} label={t("copyId")} />
        <p className="font-mono text-caption text-muted">
          {t("secretEnds", { last4: secret_last4 })} · {t("keyEnds", { last4: api_key_last4 })}
        </p>
        <May credential={credential} />
      </div>
      {mayWrite && (
        <div className="flex gap-2">
          <Button look="quiet" size="small" aria-label={t("editNamed", { name })} onClick={() => setEditing(true)}>
            {t("edit")}
          </Button>
          <ConfirmButton
            look="quiet"
            size="small"
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
        </div>
      )}
      {editing && <Edit credential={credential} onClose={() => setEditing(false)} />}
    </li>
  );
}

/** When and from where it was used last, and until when it is valid. */
function Use({ credential }: { credential: ListedCredential }) {
  const t = useTranslations("credentials");
  const { created_at, last_used_at, last_used_ip, expires_at } = credential;
  const now = useNow() - useClockOffset();
  return (
    <>
      <p className="wrap-anywhere text-caption text-muted">
        {last_used_at ? (
          <>
            {t("used")} <Time at={last_used_at} real /> {last_used_ip && t("from", { ip: last_used_ip })}
          </>
        ) : (
          <>
            {t("neverUsed")} · {t("created")} <Time at={created_at} real />
          </>
        )}
      </p>
      {expires_at && (
        <p className={Date.parse(expires_at) <= now ? "text-caption text-warn" : "text-caption text-muted"}>
          {t(Date.parse(expires_at) <= now ? "over" : "until")} <Time at={expires_at} end />
        </p>
      )}
    </>
  );
}

/** What it may do, in words, and from where. */
function May({ credential }: { credential: ListedCredential }) {
  const t = useTranslations("credentials");
  const words = useTranslations("scopes");
  const { account } = useSession();
  const { scopes, follows_role, is_masked, allowed_networks, awaiting_scopes } = credential;
  const inWords = (some: readonly string[]) => some.map((scope) => words(scope as "refunds:write")).join(", ");
  const money = scopes.filter(isMoneyScope);
  return (
    <div className="mt-1 grid gap-0.5 text-caption">
      <details>
        <summary className="wrap-anywhere cursor-pointer">
          {follows_role ? t("follows") : t("listed", { count: scopes.length })}
        </summary>
        <div className="py-2">
          <ScopeList of={scopes} />
        </div>
      </details>
      {is_masked && account.mode === "live" && <p>{t("masked")}</p>}
      {money.length > 0 && <p>{t("withMoney", { scopes: inWords(money) })}</p>}
      {awaiting_scopes.length > 0 && <p className="text-warn">{t("awaiting", { scopes: inWords(awaiting_scopes) })}</p>}
      {allowed_networks.length > 0 && (
        <p className="wrap-anywhere text-muted">
          {t("onlyFrom", { networks: allowed_networks.map(networkText).join(", ") })}
        </p>
      )}
    </div>
  );
}
