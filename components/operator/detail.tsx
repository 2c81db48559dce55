"use client";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useErrorText } from "@/components/error-text";
import { documentNumber, phoneNumber } from "@/components/format";
import { changeSeller, type SellerAccount, sellerQuery } from "@/components/operator/queries";
import { SellerStatusWord } from "@/components/operator/status";
import { Button } from "@/components/ui/button";
import { Copyable } from "@/components/ui/copy";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Facts, PageHead, Section } from "@/components/ui/page";
import { RowBones } from "@/components/ui/skeleton";
import { Failure } from "@/components/ui/state";
import { Time } from "@/components/ui/time";
import { toast } from "@/components/ui/toast";
import { type AccountChange, features as allFeatures } from "@/lib/accounts/schema";

const Confirm = lazyWindow(() => import("@/components/ui/confirm").then((module) => module.Confirm));

/** One seller: who it is, whether it may work, and with what. */
export function Seller({ id }: { id: string }) {
  const t = useTranslations("operator");
  const { data, error, refetch } = useQuery(sellerQuery(id));
  const seller = data?.data;
  return (
    <>
      <Link href="/operator/accounts" className="mb-5 inline-flex items-center gap-2 text-muted hover:text-ink">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t("accounts")}
      </Link>
      {!seller && <PageHead title={t("account")} />}
      {error && <Failure error={error} onRetry={() => refetch()} slim={seller !== undefined} />}
      {seller ? <Known seller={seller} /> : !error && <RowBones rows={5} />}
    </>
  );
}

function Known({ seller }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  return (
    <>
      <header className="mb-8 flex flex-wrap items-start justify-between gap-4">
        <div className="grid min-w-0 gap-1">
          <h1 className="break-words font-semibold text-title tracking-[-0.01em]">{seller.name}</h1>
          <SellerStatusWord status={seller.status} />
        </div>
        <StatusActions seller={seller} />
      </header>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-[minmax(0,2fr)_minmax(260px,1fr)]">
        <Features key={seller.features.join()} seller={seller} />
        <Section title={t("facts")}>
          <Facts
            rows={[
              [t("columns.document"), documentNumber(seller.document)],
              [t("email"), seller.email],
              seller.phone !== null && [t("phone"), phoneNumber(seller.phone)],
              [t("columns.since"), <Time key="since" at={seller.created_at} absolute />],
              [t("id"), <Copyable key="id" text={seller.id} />],
            ]}
          />
        </Section>
      </div>
    </>
  );
}

function useChange({ id }: SellerAccount, done: string) {
  const client = useQueryClient();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: (change: AccountChange) => changeSeller(id, change),
    onSuccess: (answer) => {
      client.setQueryData(sellerQuery(id).queryKey, answer);
      toast(done);
    },
    onError: (error) => toast(errorText(error), "bad"),
    onSettled: () => client.invalidateQueries({ queryKey: ["sellers"] }),
  });
}

/** Approving is one click; suspending stops a business and is asked for again. */
function StatusActions({ seller }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  const [asking, setAsking] = useState(false);
  const approve = useChange(seller, t("approved"));
  const suspend = useChange(seller, t("suspended"));
  return (
    <div className="flex gap-2">
      {seller.allowed_statuses.includes("suspended") && (
        <Button look="danger" onClick={() => setAsking(true)}>
          {t("suspend")}
        </Button>
      )}
      {seller.allowed_statuses.includes("approved") && (
        <Button look="primary" busy={approve.isPending} onClick={() => approve.mutate({ status: "approved" })}>
          {t(seller.status === "suspended" ? "approveAgain" : "approve")}
        </Button>
      )}
      {asking && (
        <Confirm
          title={t("suspendNamed", { name: seller.name })}
          action={t("suspend")}
          busy={suspend.isPending}
          onConfirm={() => suspend.mutate({ status: "suspended" }, { onSettled: () => setAsking(false) })}
          onClose={() => setAsking(false)}
        >
          {t("suspendHelp")}
        </Confirm>
      )}
    </div>
  );
}

function Features({ seller }: { seller: SellerAccount }) {
  const t = useTranslations("operator");
  const [chosen, setChosen] = useState<readonly string[]>(seller.features);
  const save = useChange(seller, t("featuresSaved"));
  const isChanged = chosen.length !== seller.features.length || seller.features.some((name) => !chosen.includes(name));
  return (
    <Section title={t("columns.features")}>
      <form
        className="grid max-w-[560px] justify-items-start gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ features: allFeatures.filter((name) => chosen.includes(name)) });
        }}
      >
        <fieldset className="grid w-full gap-3" disabled={save.isPending}>
          <legend className="sr-only">{t("columns.features")}</legend>
          {allFeatures.map((name) => (
            <label key={name} className="flex items-start gap-3">
              <input
                type="checkbox"
                className="mt-1 size-4 accent-accent"
                checked={chosen.includes(name)}
                onChange={({ target }) =>
                  setChosen(target.checked ? [...chosen, name] : chosen.filter((other) => other !== name))
                }
              />
              <span className="grid">
                <span className="font-medium">{t(`featureNames.${name}`)}</span>
                <span className="text-caption text-muted">{t(`featureHelp.${name}`)}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <Button type="submit" busy={save.isPending} disabled={!isChanged}>
          {t("saveFeatures")}
        </Button>
      </form>
    </Section>
  );
}
