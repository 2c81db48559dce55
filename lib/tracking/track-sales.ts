import type { Query } from "@/lib/db";
import { wake } from "@/lib/due/wake";
import type { Happened } from "@/lib/events/consume";
import { statusV2 } from "@/lib/transactions/states";
import type { TransactionStatus } from "@/prisma/client/enums";

/** The changes that are sent, by V2's words. */
const SENT: readonly string[] = ["pending", "completed", "refused", "refunded", "chargedback"];

/**
 * A consumer of events: writes an order for each sale that was created, paid, refused or refunded, of the accounts whose
 * integration is active. An event that comes again finds its order there.
 */
export async function trackSales(query: Query, events: readonly Happened[]): Promise<(() => void) | undefined> {
  const orders = events.flatMap(({ accountId, id, subject, subjectId, data }) => {
    if (subject !== "transaction") return [];
    const { status, previous_status: previous } = data as Record<string, TransactionStatus | null>;
    const [word, before] = [status && statusV2[status], previous && statusV2[previous]];
    if (!word || word === before || !SENT.includes(word)) return [];
    return [{ account_id: accountId, event_id: id, transaction_id: subjectId, status: word }];
  });
  if (orders.length === 0) return undefined;
  const made = await query("tracking_orders", INSERT, [JSON.stringify(orders)]);
  return made.length > 0 ? () => wake("tracking") : undefined;
}

const INSERT = `insert into tracking_orders (account_id, event_id, transaction_id, mode, status)
  select o.account_id, o.event_id, o.transaction_id, a.mode, o.status
  from json_to_recordset($1::json) as o(account_id uuid, event_id uuid, transaction_id uuid, status text)
  join tracking_integrations i on i.account_id = o.account_id
  join accounts a on a.id = o.account_id and a.former_twin_id is null
  order by o.account_id, o.event_id
  on conflict do nothing returning event_id`;
