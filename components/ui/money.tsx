"use client";
import { clsx } from "clsx";
import { useNumbers } from "@/components/format";

/** An amount outside of a sentence, which never wraps. Amounts in a sentence are written by `money`. */
export function Money({ cents, className }: { cents: number; className?: string }) {
  const { money } = useNumbers();
  return <span className={clsx("whitespace-nowrap tabular-nums", className)}>{money(cents)}</span>;
}
