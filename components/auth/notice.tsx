import type { ReactNode } from "react";

const edges = { warn: "border-warn", accent: "border-accent", bad: "border-bad", info: "border-info" };

/** A sentence or two that concern the whole form. */
export function Notice({ tone, children }: { tone: keyof typeof edges; children: ReactNode }) {
  return <div className={`grid gap-2 border-l-2 bg-surface px-3 py-2 ${edges[tone]}`}>{children}</div>;
}
