"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { PublicKeyBones } from "@/components/cards/bones";
import { Domains } from "@/components/cards/domains";
import { Key } from "@/components/cards/key";
import { publicKeyQuery } from "@/components/cards/queries";
import { curlOf, Snippet } from "@/components/cards/snippet";
import { TestSheet } from "@/components/cards/test-sheet";
import { OriginTester } from "@/components/cards/tester";
import { useApi, useMay, useSession } from "@/components/frame/account";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { PageHead } from "@/components/ui/page";
import { Empty, Failure } from "@/components/ui/state";

const AddDomain = lazyWindow(() => import("@/components/cards/add-domain").then((module) => module.AddDomain));

type Props = { enabled: boolean; apiUrl: string; mostDomains: number };

/** The key of the seller's pages, where it works, and what it is tried with. */
export function PublicKeyPage({ enabled, apiUrl, mostDomains }: Props) {
  const t = useTranslations("publicKey");
  const { account } = useSession();
  const { data, error, refetch } = useQuery({ ...publicKeyQuery(useApi().account), enabled });
  const [adding, setAdding] = useState<string | null>(null);
  const mayWrite = useMay("cards:write");
  if (!enabled) {
    return (
      <>
        <PageHead title={t("title")} purpose={t("purpose")} />
        <Empty>{t("disabled")}</Empty>
      </>
    );
  }
  if (!data) {
    return error ? (
      <>
        <PageHead title={t("title")} purpose={t("purpose")} />
        <Failure error={error} onRetry={() => refetch()} />
      </>
    ) : (
      <PublicKeyBones />
    );
  }
  const { key, created_at, domains } = data.data;
  const isEmpty = domains.length === 0;
  const mayAdd = mayWrite && domains.length < mostDomains;
  const action = mayAdd && (
    <Button look="primary" onClick={() => setAdding("")}>
      <Plus aria-hidden="true" />
      {t("add")}
    </Button>
  );
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} action={!isEmpty && action} />
      {error && <Failure error={error} onRetry={() => refetch()} slim />}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        <Key value={key} madeAt={created_at} />
        <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
          <Domains domains={domains} most={mostDomains} action={action} curl={curlOf(apiUrl, key)} />
          <OriginTester {...(mayAdd && { onAdd: setAdding })} />
        </div>
        <Snippet apiUrl={apiUrl} publicKey={key} />
        {account.mode === "sandbox" && <TestSheet />}
      </div>
      {adding !== null && <AddDomain origin={adding} onClose={() => setAdding(null)} />}
    </>
  );
}
