import { platforms } from "@/lib/ledger/chart";
import type { Fact } from "@/lib/ledger/post";
import { methods } from "@/lib/methods/methods";
import { restOf, type Share } from "@/lib/splits/share";
import type { Sale } from "@/lib/transactions/sale";
import type { Mode } from "@/prisma/client/enums";

/** A sale, the mode of its account, and of a Pix the rail that received it. */
type Sold = Pick<Sale, "accountId" | "id" | "method" | "net" | "fee"> & { mode: Mode; provider?: string | null };
type Settled = Pick<Sale, "accountId" | "id" | "method" | "net">;

/** The facts to post when a sale is paid: the seller's net, our fee, and each share out of the net. */
export function completionOf(
  { accountId: account, id, method, net, fee, mode, provider: rail = null }: Sold,
  shares: readonly Share[],
): Fact[] {
  const { completed, shared } = methods[method].postings;
  const amounts = { net: Number(net), fee: Number(fee) };
  return [
    { type: completed, sourceId: id, owners: { account, platform: platforms[mode], rail }, amounts },
    ...shares.map(({ id: sourceId, recipientId: recipient, amount: share }) => {
      return { type: shared, sourceId, owners: { account, recipient }, amounts: { share } };
    }),
  ];
}

/**
 * The same where the sale is paid with money that the platform held, because it came without its sale. Its source is the sale,
 * which is paid once.
 */
export function matchOf(sold: Sold, shares: readonly Share[]): Fact[] {
  const { accountId: account, id: sourceId, net, fee, mode } = sold;
  const amounts = { net: Number(net), fee: Number(fee) };
  const [, ...shared] = completionOf(sold, shares);
  return [{ type: "unmatched_matched", sourceId, owners: { account, platform: platforms[mode] }, amounts }, ...shared];
}

/**
 * The facts to post when a sale's money becomes available: what is left of each recipient's share, and of the seller's rest.
 * `used` is what refunds took of them before, in cents by the ids of shares and sale.
 */
export function settlementOf(
  { accountId, id, method, net }: Settled,
  shares: readonly Share[],
  used: ReadonlyMap<string, number>,
): Fact[] {
  const { settled } = methods[method].postings;
  if (!settled) throw new Error(`The money of a ${method} sale is available at once`);
  const parts = [...shares, { id, recipientId: accountId, amount: restOf(net, shares) }];
  return parts.map(({ id: sourceId, recipientId: account, amount }) => {
    const left = amount - (used.get(sourceId) ?? 0);
    return { type: settled, sourceId, owners: { account }, amounts: { amount: left } };
  });
}
