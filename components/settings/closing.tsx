"use client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useApi } from "@/components/account";
import { cents, useNumbers } from "@/components/format";
import { closingQuery } from "@/components/settings/queries";
import { Button } from "@/components/ui/button";
import { lazyWindow } from "@/components/ui/lazy-window";
import { Loaded } from "@/components/ui/loaded";
import { Section } from "@/components/ui/page";
import { SkeletonBlock } from "@/components/ui/skeleton";
import type { Closing } from "@/lib/closing/schema";
import type { OwnAccount } from "@/lib/profile/schema";

const CloseAccount = lazyWindow(() =>
  import("@/components/settings/close-account").then((module) => module.CloseAccount),
);

const balances = ["available", "pending", "blocked", "held"] as const;
const counts = ["refunds", "disputes", "subscriptions", "charges"] as const;

/** How the account is closed by its owner, and what has to end before. */
export function ClosingSection({ account: { name, status } }: { account: OwnAccount }) {
  const t = useTranslations("closing");
  const isClosed = status === "closed";
  const result = useQuery({ ...closingQuery(useApi().account), enabled: !isClosed });
  return (
    <Section title={t("title")}>
      <p className="mb-3 max-w-[64ch] text-muted">{t(isClosed ? "closed" : "help")}</p>
      {!isClosed && (
        <Loaded result={result} skeleton={<SkeletonBlock className="h-9 w-40" />}>
          {({ data }) => <Open closing={data} name={name} />}
        </Loaded>
      )}
    </Section>
  );
}

function Open({ closing, name }: { closing: Closing; name: string }) {
  const t = useTranslations("closing");
  const { money } = useNumbers();
  const [asking, setAsking] = useState(false);
  const inTheWay = [
    ...balances.flatMap((kind) =>
      cents(closing[kind]) === 0 ? [] : [[kind, t(`items.${kind}`, { amount: money(cents(closing[kind])) })] as const],
    ),
    ...counts.flatMap((kind) =>
      closing[kind] === 0 ? [] : [[kind, t(`items.${kind}`, { count: closing[kind] })] as const],
    ),
  ];
  if (inTheWay.length > 0) {
    return (
      <>
        <p className="font-medium">{t("inTheWay")}</p>
        <ul className="mt-1 list-disc pl-5">
          {inTheWay.map(([kind, text]) => (
            <li key={kind}>{text}</li>
          ))}
        </ul>
      </>
    );
  }
  return (
    <>
      <p className="mb-3">{t("clear")}</p>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t("open")}
      </Button>
      {asking && <CloseAccount name={name} onClose={() => setAsking(false)} />}
    </>
  );
}
