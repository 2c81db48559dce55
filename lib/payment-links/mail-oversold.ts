import type { Row } from "@/lib/database/json-rows";
import type { Query } from "@/lib/db";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import { writeMails } from "@/lib/mail/write";
import { mailTo, readNotified } from "@/lib/notifications/addressees";
import { saleOf } from "@/lib/transactions/sale";
import { isPaid } from "@/lib/transactions/states";

type Oversold = { id: string; accountId: string; description: string; most: number; count: number };

/**
 * A consumer of events: tells who of a seller's team hears of payments that a link was paid more often than it may be, by a
 * code that was paid late; once for each limit that the link is given.
 */
export async function mailOversold(query: Query, events: readonly Happened[]): Promise<undefined> {
  const links = new Set(events.flatMap(linkPaidBy));
  if (links.size === 0) return;
  const accounts = [...new Set(events.map(({ accountId }) => accountId))];
  const oversold = await query<Oversold>("links_oversold", OVERSOLD, [accounts, [...links]]);
  if (oversold.length === 0) return;
  const addressees = await readNotified(
    query,
    "payments",
    [...new Set(oversold.map(({ accountId }) => accountId))].sort(),
  );
  const mails = addressees.flatMap((addressee) =>
    oversold
      .filter(({ accountId }) => accountId === addressee.accountId)
      .map(({ id, accountId, description: what, most, count }) =>
        mailTo(addressee, {
          intent: `link_oversold:${id}:${most}`,
          content: {
            template: "link_oversold",
            what,
            most,
            count,
            url: `${env.APP_URL}/${accountId}/payment-links/${id}`,
          },
        }),
      ),
  );
  await writeMails(query, mails);
}

function linkPaidBy({ type, data, record }: Happened): string[] {
  const isNowPaid = type === "transaction.updated" && (data as { status?: string }).status === "completed";
  const link = isNowPaid && "payment_link_id" in (record as object) ? saleOf(record as Row).paymentLinkId : null;
  return link ? [link] : [];
}

const OVERSOLD = `select l.id, l.account_id as "accountId", l.description, l.max_payments as most, c.count
  from payment_links l
  cross join lateral (
    select count(*)::int as count from transactions
    where account_id = l.account_id and payment_link_id = l.id and ${isPaid()}
  ) c
  where l.account_id = any($1::uuid[]) and l.id = any($2::uuid[]) and c.count > l.max_payments
  order by l.account_id, l.id`;
