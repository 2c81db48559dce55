import type { Row } from "@/lib/database/json-rows";
import { readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { COUNTED, type CursorQuery, pageAfter, pageOfRead, upTo } from "@/lib/lists/pagination";
import { presentListItem } from "@/lib/transactions/present";
import { saleOf } from "@/lib/transactions/sale";
import { paid } from "@/lib/transactions/states";

/** The payments of a link, newest first. Throws `payment_link_not_found`. */
export const listPayments = (accountId: string, linkId: string, query: CursorQuery) =>
  readFor(accountId, async (tx) => {
    const link = await tx.paymentLink.count({ where: { accountId, id: linkId } });
    if (link === 0) throw new AppError("payment_link_not_found");
    const { skip, take } = pageAfter(query);
    const [found] = await tx.$queryRawUnsafe<{ number: number }[]>(COUNT, accountId, linkId, paid, COUNTED + 1);
    const cursor = query.cursor ?? LAST_ID;
    const rows = await tx.$queryRawUnsafe<{ sale: Row }[]>(PAGE, accountId, linkId, paid, cursor, take, skip);
    const sales = rows.map(({ sale }) => saleOf(sale));
    const { shown, meta } = pageOfRead(sales, upTo(found?.number ?? 0), query);
    return { data: shown.map(presentListItem), meta };
  });

const LAST_ID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

const COUNT = `select count(*)::int as number from (
    select from transactions where account_id = $1::uuid and payment_link_id = $2::uuid
      and status = any($3::"TransactionStatus"[]) limit $4::int
  ) counted`;

/** Reads each status from its newest on, and no further than the page needs. */
const PAGE = `select to_jsonb(t) as sale from (
    select found.id from unnest($3::"TransactionStatus"[]) one
    cross join lateral (
      select id from transactions where account_id = $1::uuid and payment_link_id = $2::uuid and status = one
        and id < $4::uuid order by id desc limit $5::int + $6::int
    ) found order by found.id desc limit $5::int offset $6::int
  ) page join transactions t on t.account_id = $1::uuid and t.id = page.id
  order by t.id desc`;
