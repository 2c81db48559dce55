"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { credentialsQuery } from "@/components/credentials/queries";
import { useErrorText } from "@/components/error-text";
import { useApi, useMay } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { PageHead } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Empty, Failure } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import type { Credential } from "@/lib/credentials/schema";

const Create = lazyWindow(() => import("@/components/credentials/create").then((module) => module.CreateCredential));
const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

export function Credentials({ curl }: { curl: string }) {
  const t = useTranslations("credentials");
  const { data, error, refetch } = useQuery(credentialsQuery(useApi().account));
  const [creating, setCreating] = useState(false);
  const mayWrite = useMay("credentials:write");
  const action = mayWrite && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {t("new")}
    </Button>
  );
  const isEmpty = data?.data.length === 0;
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} action={!isEmpty && action} />
      {error && <Failure error={error} onRetry={() => refetch()} slim={data !== undefined} />}
      {!data ? (
        !error && <RowBones rows={3} />
      ) : isEmpty ? (
        <Empty action={action} curl={curl}>
          {t("empty")}
        </Empty>
      ) : (
        <ul className="border-b">
          {data.data.map((credential) => (
            <Row key={credential.client_id} credential={credential} mayRevoke={mayWrite} />
          ))}
        </ul>
      )}
      {creating && <Create onClose={() => setCreating(false)} />}
    </>
  );
}

function Row({ credential, mayRevoke }: { credential: Credential; mayRevoke: boolean }) {
  const t = useTranslations("credentials");
  const { client_id: id, name, secret_last4, api_key_last4, created_at, last_used_at } = credential;
  const api = useApi();
  const client = useQueryClient();
  const errorText = useErrorText();
  const [asking, setAsking] = useState(false);
  const revoke = useMutation({
    mutationFn: () => api.delete(`/api/partner/v1/credentials/${id}`),
    onSuccess: () => toast(t("revoked")),
    onError: (error) => toast(errorText(error), "bad"),
    onSettled: () => {
      setAsking(false);
      return client.invalidateQueries({ queryKey: [api.account, "credentials"] });
    },
  });
  return (
    <li className="grid gap-x-8 gap-y-3 border-t py-4 md:grid-cols-[minmax(0,1.1fr)_minmax(0,1.6fr)_auto] md:items-center">
      <div className="grid min-w-0">
        <h2 className="truncate font-semibold">{name}</h2>
        <p className="text-caption text-muted">
          {last_used_at ? (
            <>
              {t("used")} <Time at={last_used_at} />
            </>
          ) : (
            <>
              {t("neverUsed")} · {t("created")} <Time at={created_at} />
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
        <Button
          look="quiet"
          size="small"
          className="justify-self-start"
          onClick={() => setAsking(true)}
          aria-label={t("revokeNamed", { name })}
        >
          {t("revoke")}
        </Button>
      )}
      {asking && (
        <Confirm
          title={t("revokeNamed", { name })}
          action={t("revokeNow")}
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate()}
          onClose={() => setAsking(false)}
        >
          {t("revokeHelp")}
        </Confirm>
      )}
    </li>
  );
}
