"use client";
import { clsx } from "clsx";
import { ArrowRight, Check } from "lucide-react";
import { useState } from "react";
import { useTranslations } from "use-intl";
import { useMay, useMaySell, useSession } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import { Address } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { AccountLink } from "@/components/ui/link";
import { Section } from "@/components/ui/page";
import type { Overview } from "@/lib/dashboard/schema";

type Steps = Overview["checklist"];
type Key = "product" | "plan" | "link" | "credential" | "webhook" | "paid";
type Todo = { key: Key; done: boolean; href: AccountPath };

/** Whether the account has got to a first sale in one of the two ways. */
export const isSetUp = ({ credential, webhook, plan, link, paid }: Steps) =>
  paid && ((credential && webhook) || plan !== null || link);

/** The steps to the first sale, without code or by the API. It is not shown when those of one way are done. */
export function Checklist({ steps }: { steps: Steps }) {
  const t = useTranslations("checklist");
  const maySell = useMaySell();
  const maySeePlans = useMay("plans:read");
  const sellsPlans = useSession().features.includes("recurring") && maySeePlans;
  const ways = { sell: stepsToSell(steps, sellsPlans), integrate: stepsToIntegrate(steps) };
  const began = steps.webhook && !steps.product && !steps.link ? "integrate" : "sell";
  const [way, setWay] = useState<keyof typeof ways>(began);
  const shown = ways[way];
  const count = shown.filter(({ done }) => done).length;
  return (
    <Section
      title={t("title")}
      aside={
        <span className="text-caption text-muted">
          {t("progress", { count: String(count), total: String(shown.length) })}
        </span>
      }
    >
      <div className="-mx-2.5 mb-2 flex flex-wrap gap-1">
        {(["sell", "integrate"] as const).map((name) => (
          <Button
            key={name}
            look="quiet"
            size="small"
            aria-pressed={name === way}
            className={name === way ? "bg-line/60" : "text-muted"}
            onClick={() => setWay(name)}
          >
            {t(name)}
          </Button>
        ))}
      </div>
      <ol className="grid">
        {shown.map((step, index) => (
          <li key={step.key} className="border-t first:border-t-0">
            <Step step={step} number={index + 1} />
            {step.key === "plan" && steps.plan && maySell && <PlanAddress plan={steps.plan} />}
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** A link alone is enough to sell; whoever may not have plans begins with one. */
function stepsToSell({ product, plan, link, paid }: Steps, sellsPlans: boolean): Todo[] {
  const last = { key: "paid", done: paid, href: "/charges/new" } as const;
  if (!sellsPlans || (link && !product)) return [{ key: "link", done: link, href: "/payment-links" }, last];
  return [
    { key: "product", done: product !== null, href: "/products" },
    { key: "plan", done: plan !== null, href: product ? `/products/${product}` : "/products" },
    last,
  ];
}

const stepsToIntegrate = ({ credential, webhook, paid }: Steps): Todo[] => [
  { key: "credential", done: credential, href: "/credentials" },
  { key: "webhook", done: webhook, href: "/webhooks" },
  { key: "paid", done: paid, href: "/charges/new" },
];

function Step({ step: { key, done, href }, number }: { step: Todo; number: number }) {
  const t = useTranslations("checklist");
  const isLive = useSession().account.mode === "live";
  const mayCharge = useMaySell();
  const mark = (
    <span
      aria-hidden="true"
      className={clsx(
        "grid size-6 shrink-0 place-items-center rounded-full text-caption",
        done ? "bg-accent text-on-accent" : "border border-muted text-muted",
      )}
    >
      {done ? <Check className="size-3.5" strokeWidth={2.5} /> : number}
    </span>
  );
  if (done) {
    return (
      <p className="flex items-center gap-3 py-3 text-muted">
        {mark}
        {t(key)}
        <span className="sr-only">({t("done")})</span>
      </p>
    );
  }
  if (!mayCharge && (key === "paid" || key === "link")) {
    return (
      <p className="flex items-center gap-3 py-3 text-muted">
        {mark}
        <span className="grid">
          {t(key)}
          <span className="text-caption">{t("afterApproval")}</span>
        </span>
      </p>
    );
  }
  return (
    <AccountLink href={href} className="group flex items-center gap-3 py-3">
      {mark}
      <span className="grid flex-1">
        <span className="font-medium underline-offset-4 group-hover:underline">{t(key)}</span>
        <span className="text-caption text-muted">{t(key === "paid" && isLive ? "paidHelpLive" : `${key}Help`)}</span>
      </span>
      <ArrowRight aria-hidden="true" className="size-4 text-muted transition-transform group-hover:translate-x-0.5" />
    </AccountLink>
  );
}

/** Where a plan is sold: without it a plan that was made sells nothing. */
function PlanAddress({ plan: { name, checkout_url } }: { plan: NonNullable<Steps["plan"]> }) {
  const t = useTranslations("checklist");
  return (
    <div className="-mt-1 grid gap-1 pb-3 pl-9">
      <p className="wrap-anywhere text-caption text-muted">{t("share", { name })}</p>
      <Address url={checkout_url} copy={t("copy")} open={t("open")} />
    </div>
  );
}
