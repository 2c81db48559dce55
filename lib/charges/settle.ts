import { mayCrash } from "@/lib/process/crash-points";
import { settlementOf } from "@/lib/splits/postings";
import { sharesOfSale } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { salesDue } from "@/lib/transactions/due";
import { markSettled } from "@/lib/transactions/move";

/**
 * Makes the money of a batch of card sales available whose settlement day has come on their account's own clock, to the
 * sellers and to each recipient. Returns whether more may be due.
 */
export const settleDueCharges = salesDue<{ net: string; shares: Share[] }>({
  name: "cards.settle-due",
  column: "settle_at",
  isOpen: "t.method = 'card' and t.status = 'completed' and t.settled_at is null",
  more: `, t.net, (${sharesOfSale("t.id")}) as shares`,
  async act(query, due) {
    const sales = due.map(({ accountId, id, net, shares }) => {
      return { accountId, id, posts: settlementOf({ accountId, id, net: BigInt(net) }, shares) };
    });
    await markSettled(query, sales);
    mayCrash("settle.posting");
  },
});
