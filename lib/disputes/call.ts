import { queryOf, type Tx } from "@/lib/db";
import { disputeNoun } from "@/lib/disputes/noun";
import { REMINDERS_MS } from "@/lib/disputes/open";
import { findDispute } from "@/lib/disputes/read";
import { disputesAt } from "@/lib/disputes/report";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import { type CallKind, forgetCall, type WrittenCall } from "@/lib/outside/calls";
import type { Defended } from "@/lib/rails/disputes";

/** The call that sends a defence to who decides. Our id of it is the dispute's, and the provider takes a repeat as the same. */
export const defenceCall = {
  ...{ name: "dispute_defence", isIdempotent: true, isResentWhenLost: true },

  async send(tx: Tx, { accountId, id, provider }: WrittenCall) {
    const { dispute } = await findDispute(queryOf(tx), accountId, id);
    if (dispute.status !== "open" || dispute.defence === null) return undefined;
    const files = await tx.disputeFile.findMany({
      ...{ where: { accountId, disputeId: id }, orderBy: { id: "asc" } },
      select: { name: true, contentType: true, size: true, sha256: true },
    });
    const defence = { id: dispute.providerId, text: dispute.defence, evidence: files };
    const { defend } = disputesAt(dispute.method, provider);
    return () => defend(defence);
  },

  /** A defence that is refused was none: its seller is reminded again, and may send another one. */
  async write(query, { accountId, id }, answer) {
    if (answer.status !== "refused") return undefined;
    log.warn({ accountId, id, reason: answer.reason }, "a provider did not take a defence");
    const { dispute } = await findDispute(query, accountId, id);
    const remind = new Date(dispute.deadline.getTime() - (REMINDERS_MS[0] ?? 0));
    await move(query, disputeNoun, "refuseDefence", [{ accountId, id, facts: { remind } }]);
    await forgetCall(query, { accountId, id });
    return undefined;
  },
} satisfies CallKind<Defended>;
