import { attachExpiry } from "@/lib/billing/card";
import { lockSelected } from "@/lib/billing/lock";
import { beginChange, updateSubscription } from "@/lib/billing/subscription-change";
import { writeChanges } from "@/lib/billing/write";
import { readLastDay } from "@/lib/charges/stored-card";
import { asSystem, queryOf } from "@/lib/db";
import { locked } from "@/lib/due/find";

const BATCH = 100;

/**
 * Reads the expiry of a batch of cards that a release before 2026-11-25 kept, which only the vault can decrypt, so that
 * their holders are written to as well. Returns whether more may be left.
 */
export const readExpiries = (): Promise<boolean> =>
  asSystem(async (tx) => {
    const query = queryOf(tx);
    const loaded = await lockSelected(query, "", UNREAD, []);
    const changes = [];
    for (const one of loaded) {
      const change = beginChange(one);
      const { card, account } = one;
      if (card) attachExpiry(change, { ...card, expiresOn: await readLastDay(tx, account.id, card.id) });
      else updateSubscription(change, { cardWarnings: 0 }); // its card is gone, so there is nothing to read
      changes.push(change);
    }
    await writeChanges(query, changes);
    return loaded.length === BATCH;
  });

const UNREAD = locked(`select * from subscriptions
  where stored_card_id is not null and card_warnings is null and status <> 'cancelled'
  order by account_id, id limit ${BATCH}`);
