import { type AccountContext, assertActive } from "@/lib/accounts/context";
import { addDays } from "@/lib/billing/calendar";
import { endOfCode, issueCode, todayOf } from "@/lib/billing/charge";
import { mailUnpaid } from "@/lib/billing/mails";
import { recordEvent, updateCycle } from "@/lib/billing/subscription-change";
import { AppError } from "@/lib/errors";
import type { Intent } from "@/lib/idempotency";
import { performAction } from "@/lib/subscriptions/perform-action";
import { presentCodedCharge } from "@/lib/subscriptions/wait-for-code";

type Resend = {
  id: string;
  /** Whether an anonymous visitor asks, who sees the code on a page: it is not mailed. */
  byVisitor?: boolean;
};

/**
 * Issues a new Pix code for what is owed, also where a card could not be charged. The old code is void; paid afterwards it
 * still counts. Where nothing more was tried, the code is valid for the grace from today on, and never for less time than
 * the old one was. Throws `charge_not_open`, `rail_unavailable`, `subscription_not_found` and what an account may not do
 * that may not sell.
 */
export const resendCharge = (account: AccountContext, { id, byVisitor = false }: Resend, intent: Intent) =>
  performAction(account, id, intent, {
    action: "resend_charge",
    refuse: () => new AppError("charge_not_open"),
    act(change) {
      const { cycle, offer, now } = change;
      if (!cycle) throw new AppError("charge_not_open");
      assertActive(change.account);
      const isOver = cycle.expiresAt <= now || change.subscription.status === "suspended";
      const again = endOfCode(change, addDays(todayOf(change), offer.terms.gracePeriodDays));
      if (isOver && again > cycle.expiresAt) updateCycle(change, cycle, { expiresAt: again });
      change.byVisitor = byVisitor;
      if (!issueCode(change, cycle)) throw new AppError("rail_unavailable");
      recordEvent(change, "cycle.created", cycle);
      if (!byVisitor) mailUnpaid(change, cycle, { notice: "fresh_code" });
    },
    presentCode: async (coded) => ({ charge: await presentCodedCharge(coded) }),
  });
