import type { Awaiting } from "@/lib/approvals/schema";
import { iso } from "@/lib/time/clock";

/** The answer to a request that waits for a second person. */
export const awaiting = ({ id, lapsesAt }: { id: string; lapsesAt: Date }): Awaiting => ({
  message: "Outra pessoa da equipe precisa aprovar em até 24 horas.",
  approval: { id, lapses_at: iso(lapsesAt) },
});
