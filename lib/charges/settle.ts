import { mayCrash } from "@/lib/process/crash-points";
import { readUsed } from "@/lib/reversals/used";
import { settlementOf } from "@/lib/splits/postings";
import { sharesOfSale } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import { salesDue } from "@/lib/transactions/due";
import { markSettled } from "@/lib/transactions/move";
import { isSettling } from "@/lib/transactions/states";
import type { TransactionMethod } from "@/prisma/client/enums";

/**
 * Makes the money of a batch of sales available whose settlement day has come on their account's own clock, to the
 * sellers and to each recipient. Returns whether more may be due.
 */
export const settleDueCharges = salesDue<{ method: TransactionMethod; net: string; shares: Share[] }>({
  name: "cards.settle-due",
  column: "settle_at",
  isOpen: isSettling("t"),
  more: `, t.method, t.net, (${sharesOfSale("t.id")}) as shares`,
  async act(query, due) {
    const used = await readUsed(query, due); // after the sales are locked, so that no refund comes in between
    const sales = due.map(({ accountId, id, method, net, shares }) => {
      return { accountId, id, posts: settlementOf({ accountId, id, method, net: BigInt(net) }, shares, used) };
    });
    await markSettled(query, sales);
    mayCrash("settle.posting");
  },
});
