import type { Fact } from "@/lib/ledger/post";
import { restOf, type Share } from "@/lib/splits/share";
import type { Sale } from "@/lib/transactions/sale";

type Sold = Pick<Sale, "accountId" | "id" | "method" | "net" | "fee">;
type Settled = Pick<Sale, "accountId" | "id" | "net">;

const types = {
  pix: { completed: "deposit_completed", paid: "split_paid" },
  card: { completed: "card_completed", paid: "card_split_paid" },
} as const;

/** The facts to post when a sale is paid: the seller's net, our fee, and each share out of the net. */
export function completionOf({ accountId: account, id, method, net, fee }: Sold, shares: readonly Share[]): Fact[] {
  const { completed, paid } = types[method];
  const amounts = { net: Number(net), fee: Number(fee) };
  return [
    { type: completed, sourceId: id, owners: { account }, amounts },
    ...shares.map(({ id: sourceId, recipientId: recipient, amount: share }) => {
      return { type: paid, sourceId, owners: { account, recipient }, amounts: { share } };
    }),
  ];
}

/** The facts to post when a card sale's money becomes available: each recipient's share, and the seller's rest. */
export function settlementOf({ accountId, id, net }: Settled, shares: readonly Share[]): Fact[] {
  const parts = [...shares, { id, recipientId: accountId, amount: restOf(net, shares) }];
  return parts.map(({ id: sourceId, recipientId: account, amount }) => {
    return { type: "card_settled", sourceId, owners: { account }, amounts: { amount } };
  });
}
