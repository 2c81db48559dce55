"use client";
import { clsx } from "clsx";
import { ArrowRight, Check } from "lucide-react";
import { useTranslations } from "use-intl";
import { useSession } from "@/components/account";
import type { AccountPath } from "@/components/paths";
import { AccountLink } from "@/components/ui/link";
import { Section } from "@/components/ui/page";
import type { Overview } from "@/lib/dashboard/schema";

const steps = [
  ["credential", "/credentials"],
  ["webhook", "/webhooks"],
  ["paid", "/charges/new"],
] as const satisfies [string, AccountPath][];

/** The steps to the first real sale. It is not shown when every step is done. */
export function Checklist({ steps: done }: { steps: Overview["checklist"] }) {
  const t = useTranslations("checklist");
  const isLive = useSession().account.mode === "live";
  const count = steps.filter(([key]) => done[key]).length;
  return (
    <Section
      title={t("title")}
      aside={<span className="text-caption text-muted">{t("progress", { count: String(count) })}</span>}
    >
      <ol className="grid">
        {steps.map(([key, href], index) => (
          <li key={key} className="border-t first:border-t-0">
            <Step
              done={done[key]}
              number={index + 1}
              name={t(key)}
              help={t(key === "paid" && isLive ? "paidHelpLive" : `${key}Help`)}
              href={href}
              doneLabel={t("done")}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

type StepProps = { done: boolean; number: number; name: string; help: string; href: AccountPath; doneLabel: string };

function Step({ done, number, name, help, href, doneLabel }: StepProps) {
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
        {name}
        <span className="sr-only">({doneLabel})</span>
      </p>
    );
  }
  return (
    <AccountLink href={href} className="group flex items-center gap-3 py-3">
      {mark}
      <span className="grid flex-1">
        <span className="font-medium underline-offset-4 group-hover:underline">{name}</span>
        <span className="text-caption text-muted">{help}</span>
      </span>
      <ArrowRight aria-hidden="true" className="size-4 text-muted transition-transform group-hover:translate-x-0.5" />
    </AccountLink>
  );
}
