"use client";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi, useMay, useSession } from "@/components/account";
import { Domains } from "@/components/cards/domains";
import { Key } from "@/components/cards/key";
import { publicKeyQuery } from "@/components/cards/queries";
import { ReturnSecret } from "@/components/cards/return-secret";
import { PublicKeySkeleton } from "@/components/cards/skeleton";
import { curlOf, Snippet } from "@/components/cards/snippet";
import { TestSheet } from "@/components/cards/test-sheet";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { PageHead } from "@/components/ui/page";
import { Empty } from "@/components/ui/state";
import type { PublicKey } from "@/lib/public-keys/schema";

// Its form needs a library that the rest of the page does not, so it is loaded apart.
const OriginTester = dynamic(() => import("@/components/cards/tester").then((module) => module.OriginTester));
const AddDomain = lazyWindow(() => import("@/components/cards/add-domain").then((module) => module.AddDomain));

/** `enabled` says whether the account may tokenize cards: its domains are also those that its pages lead back to. */
type Props = { apiUrl: string; maxDomains: number; enabled: boolean };

/** The key of the seller's pages, where it works, and what it is tried with. */
export function PublicKeyPage({ enabled, ...props }: Props) {
  const t = useTranslations("publicKey");
  const result = useQuery(publicKeyQuery(useApi().account));
  const head = <PageHead title={t("title")} purpose={t("purpose")} />;
  return (
    <Loaded result={result} head={result.error && head} skeleton={<PublicKeySkeleton />}>
      {({ data }) => <Known publicKey={data} enabled={enabled} {...props} />}
    </Loaded>
  );
}

function Known({ publicKey, enabled, apiUrl, maxDomains }: Props & { publicKey: PublicKey["data"] }) {
  const t = useTranslations("publicKey");
  const { key, created_at, domains } = publicKey;
  const { mode } = useSession().account;
  const [adding, setAdding] = useState<string | null>(null);
  const mayAdd = useMay("cards:write") && domains.length < maxDomains;
  const action = mayAdd && (
    <Button look="primary" onClick={() => setAdding("")}>
      <Plus aria-hidden="true" />
      {t("add")}
    </Button>
  );
  return (
    <>
      <PageHead title={t("title")} purpose={t("purpose")} action={domains.length > 0 && action} />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {enabled ? <Key value={key} madeAt={created_at} /> : <Empty>{t("disabled")}</Empty>}
        <div className="grid items-start gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(280px,1fr)]">
          <Domains
            domains={domains}
            max={maxDomains}
            action={action}
            curl={enabled ? curlOf(apiUrl, key) : undefined}
          />
          {enabled && <OriginTester {...(mayAdd && { onAdd: setAdding })} />}
        </div>
        {enabled && <Snippet apiUrl={apiUrl} publicKey={key} />}
        {useMay("cards:write") && <ReturnSecret />}
        {enabled && mode === "sandbox" && <TestSheet />}
      </div>
      {adding !== null && <AddDomain origin={adding} onClose={() => setAdding(null)} />}
    </>
  );
}
