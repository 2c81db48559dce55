import { type Query, queryOf, type Tx } from "@/lib/db";
import { platforms } from "@/lib/ledger/chart";
import { move } from "@/lib/move";
import type { CallKey, CallKind, Lost, WrittenCall } from "@/lib/outside/calls";
import type { PayoutAnswer, PayoutOrder } from "@/lib/rails/pix/payouts";
import { finishWithdrawal } from "@/lib/withdrawals/finish";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { payoutsAt } from "@/lib/withdrawals/payouts-at";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { findStop } from "@/lib/withdrawals/stops";
import type { Withdrawal } from "@/prisma/client/client";

/**
 * The call that sends the money of a withdrawal, whose id is the payout's. It is sent once, and again only where surely nothing
 * was sent; after that it is asked about for as long as it takes. What a rail does not know is not lost, unless the rail
 * guarantees that: a person decides it (`giveUpWithdrawal`).
 */
export const withdrawalCall = {
  ...{ name: "withdrawal", isResentWhenLost: true },

  lostAfterMs: (provider: string) => payoutsAt(provider).lostAfterMs ?? Number.POSITIVE_INFINITY,

  owners: () => Object.values(platforms),

  /** That it may be on its way is written before the rail is asked, so that nobody cancels it meanwhile. */
  async send(tx: Tx, { accountId, id, provider }: WrittenCall) {
    const query = queryOf(tx);
    const stop = await findStop(query, { accountId, provider });
    if (stop) throw new Error(`Payouts are stopped: ${stop.scope} ${stop.target}`);
    const [active] = await query("payout_account", ACTIVE, [accountId]);
    if (!active) throw new Error("Payouts wait for an account that is not approved");
    await move(query, withdrawalNoun, "send", [{ accountId, id }]);
    const { withdrawal } = await findWithdrawal(query, accountId, id);
    if (withdrawal.status !== "sending") return undefined;
    const { sendPayout } = payoutsAt(provider);
    return () => sendPayout(orderOf(withdrawal));
  },

  async find({ id, provider }: WrittenCall) {
    return (await payoutsAt(provider).findPayout(id))?.answer ?? null;
  },

  async accept(query: Query, { accountId, id }: WrittenCall) {
    await move(query, withdrawalNoun, "accept", [{ accountId, id }]);
    return undefined;
  },

  write: (query: Query, call: WrittenCall, answer: PayoutAnswer | Lost) => finishWithdrawal(query, call, answer),

  /** What the rail says after somebody has decided, or after another answer of its own. */
  writeSecond: async (query: Query, key: CallKey, answer: PayoutAnswer | Lost) => finishWithdrawal(query, key, answer),
} satisfies CallKind<PayoutAnswer>;

const ACTIVE = "select 1 from accounts where id = $1::uuid and status = 'approved'";

const orderOf = ({ id, pixKeyType: type, pixKey: key, amount, document, description }: Withdrawal): PayoutOrder => ({
  ...{ id, type, key, document, description, amount: Number(amount) },
});
