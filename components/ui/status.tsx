import { clsx } from "clsx";
import type { ReactNode } from "react";

export type Tone = "good" | "warn" | "bad" | "info" | "muted";

const dots: Record<Tone, string> = {
  good: "bg-good",
  warn: "bg-warn",
  bad: "bg-bad",
  info: "bg-info",
  muted: "border-[1.5px] border-muted",
};

/** A status as a coloured dot and a word, which is readable without the dot. */
export function Status({ tone, children, className }: { tone: Tone; children: ReactNode; className?: string }) {
  return (
    <span className={clsx("inline-flex items-center gap-2 whitespace-nowrap", className)}>
      <span aria-hidden="true" className={clsx("size-2 shrink-0 rounded-full", dots[tone])} />
      {children}
    </span>
  );
}
