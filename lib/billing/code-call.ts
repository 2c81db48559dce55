import { merchantOf } from "@/lib/accounts/context";
import { dayOf } from "@/lib/billing/calendar";
import { lockSubscriptionOf } from "@/lib/billing/lock";
import { findCycleOf } from "@/lib/billing/pay-cycles";
import type { LoadedSubscription } from "@/lib/billing/subscription";
import { beginChange, type CodeInput, recordEvent } from "@/lib/billing/subscription-change";
import type { Cycle } from "@/lib/billing/tables";
import { writeChanges } from "@/lib/billing/write";
import { queryOf, transactionFor } from "@/lib/db";
import type { CallKind } from "@/lib/outside/calls";
import type { Issued } from "@/lib/rails/pix/port";
import { codesOf } from "@/lib/rails/pix/rails";
import { writePixCodes } from "@/lib/transactions/move";
import { readSale } from "@/lib/transactions/sale";

/** A code that is asked for when its charge has almost ended can still be paid for so long. */
const VALID_AT_LEAST_MS = 60 * 60_000;

/**
 * The call that asks a rail for the code of a cycle. Our id of the call is its sale's id; the rail knows it by the txid. A
 * request that surely never reached the rail is sent again until the sale is void, because the cycle is owed all the same.
 */
export const cycleCode = {
  name: "cycle_code",
  isResentWhenLost: true,

  async send(tx, { accountId, id, provider }) {
    const { requestCode } = codesOf(provider);
    const sale = await readSale(queryOf(tx), { accountId, id });
    if (sale.status !== "pending" || sale.pixCode || !sale.expiresAt) return undefined;
    const loaded = await lockSubscriptionOf(queryOf(tx), sale);
    const { account, now } = loaded;
    const due = dueOf(loaded, await findCycleOf(queryOf(tx), sale, loaded.cycle), sale.expiresAt);
    const validMs = Math.max(VALID_AT_LEAST_MS, sale.expiresAt.getTime() - now.getTime());
    const { txid, amount, description } = sale;
    const asked = { txid: txid ?? "", amount: Number(amount), description, validMs, due, ...merchantOf(account) };
    return () => requestCode(asked);
  },

  async find({ accountId, id, provider }) {
    const { amount, txid } = await transactionFor(accountId, (query) => readSale(query, { accountId, id }));
    return codesOf(provider).findCode({ txid: txid ?? "", amount: Number(amount) });
  },

  /** Writes the code, and the event that says it. A sale that is void by now stays without a code. */
  async write(query, { accountId, id, input }, answer) {
    if (answer.status === "lost") throw new Error("A lost request for a code is sent again");
    const locked = await lockSubscriptionOf(query, await readSale(query, { accountId, id }));
    const [coded] = await writePixCodes(query, [{ accountId, id, pixCode: answer.code }]);
    const { announcedBy } = (input ?? {}) as CodeInput;
    const change = beginChange(locked);
    const cycle = coded && announcedBy && (await findCycleOf(query, coded.sale, change.cycle));
    if (cycle) {
      change.actor = announcedBy;
      change.codes.set(id, answer.code);
      recordEvent(change, "cycle.created", cycle);
      await writeChanges(query, [change]);
    }
    return undefined;
  },
} satisfies CallKind<Issued, never>;

/** What a rail is told of a due day to come. One that is due today or late is paid at once. */
function dueOf({ account, subscription, now }: LoadedSubscription, cycle: Cycle | undefined, expiresAt: Date) {
  const day = cycle && dayOf(cycle.dueAt, account.timeZone);
  if (!day || day <= dayOf(now, account.timeZone)) return undefined;
  const lastDay = dayOf(new Date(expiresAt.getTime() - 1), account.timeZone);
  return { day, lastDay, debtor: { name: subscription.name, document: subscription.document } };
}
