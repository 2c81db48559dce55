"use client";
import { useTranslations } from "use-intl";
import { cents, useNumbers } from "@/components/format";
import { Money } from "@/components/ui/money";
import type { Earning } from "@/lib/earnings/schema";

type Amounts = Pick<Earning, "amount" | "returned" | "left">;

/** What is left of what was earned, and what of it went back with refunds. */
export function Earned({ earned }: { earned: Amounts }) {
  const note = useReturned(earned);
  return (
    <>
      <Money cents={cents(earned.left)} />
      {note && <span className="block whitespace-nowrap font-normal text-caption text-muted">{note}</span>}
    </>
  );
}

/** How much of what was earned went back with refunds; null where nothing did. */
export function useReturned({ amount, returned }: Pick<Amounts, "amount" | "returned">): string | null {
  const t = useTranslations("earned");
  const { money } = useNumbers();
  if (cents(returned) === 0) return null;
  return t("returned", { returned: money(cents(returned)), amount: money(cents(amount)) });
}
