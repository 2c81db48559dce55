import { inBatches } from "@/lib/concurrency/parallel";
import type { Payout } from "@/lib/rails/pix/payouts";
import { everyRail } from "@/lib/rails/pix/rails";
import { isOurs, type PaidOut, readPaidOut } from "@/lib/withdrawals/payout-watch";
import { payoutsAt } from "@/lib/withdrawals/payouts-at";

/** A payout of a rail that is not as we have it, and the withdrawal that it is of, if there is one. */
export type Difference = { provider: string; payout: Payout; withdrawal: PaidOut | undefined; detail: string };

/** The rails that send money. */
export const payingRails = () => [...everyRail()].flatMap(({ provider, payouts }) => (payouts ? [provider] : []));

/** Payouts of one rail that are not as we have them, and when the last of those that were read changed, by the rail's clock. */
type Compared = { differences: Difference[]; readUntil: Date };

/**
 * Compares a rail's payouts that changed between two instants of its clock with our withdrawals, in batches. Throws when the
 * rail does not answer.
 */
export async function* compareAt(provider: string, since: Date, until: Date): AsyncGenerator<Compared> {
  for await (const batch of inBatches(payoutsAt(provider).payoutsChangedWithin(since, until))) {
    const readUntil = new Date(Math.max(...batch.map(({ changedAt }) => changedAt.getTime())));
    yield { differences: await differencesOf(provider, batch), readUntil };
  }
}

async function differencesOf(provider: string, payouts: readonly Payout[]): Promise<Difference[]> {
  const ids = payouts.map(({ id }) => id).filter(isOurs);
  const ours = new Map((await readPaidOut(provider, ids)).map((one) => [one.id, one]));
  return payouts.flatMap((payout) => {
    const withdrawal = ours.get(payout.id);
    const detail = differenceOf(payout, withdrawal);
    return detail ? [{ provider, payout, withdrawal, detail }] : [];
  });
}

/** In what they differ; undefined where they agree, as far as the payout has come. */
function differenceOf({ answer, amount, returns }: Payout, withdrawal: PaidOut | undefined): string | undefined {
  if (!withdrawal) return `${answer.status}, ${amount} cents, and no withdrawal of ours`;
  if (withdrawal.amount !== amount) return `${amount} cents, and ${withdrawal.amount} of the withdrawal`;
  const returned = returns.reduce((sum, one) => sum + one.amount, 0);
  if (withdrawal.returned !== returned) return `${returned} cents came back, and ${withdrawal.returned} are recorded`;
  return agreeing[answer.status].some((one) => one === withdrawal.status)
    ? undefined
    : `${answer.status}, and the withdrawal is ${withdrawal.status}`;
}

/** The statuses of a withdrawal while its rail says so. */
const agreeing = {
  accepted: ["sending", "accepted"],
  paid: ["paid", "returned"],
  failed: ["failed"],
} as const;
