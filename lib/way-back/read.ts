import { leadsHome } from "@/lib/way-back/url";
import type { Mode } from "@/prisma/client/enums";

/** Where a page leads back to now; null where it does not. */
export type WayBack = { returnUrl: string | null; cancelUrl: string | null };

/** The column of `wayBackJoin`. */
export const wayBackColumn = "to_jsonb(w) as way_back";
export type WayBackRow = {
  way_back: { return_url: string | null; cancel_url: string | null; origins: string[] } | null;
};

/** SQL: joins as `w` the addresses of a link or a plan and its account's domains; `account` and `token` are expressions. */
export const wayBackJoin = (account: string, token: string) => `left join lateral (
    select l.return_url, l.cancel_url, d.origins
    from (
      select return_url, cancel_url from payment_links where account_id = ${account} and id = ${token}
      union all select return_url, cancel_url from plans where account_id = ${account} and id = ${token}
    ) l
    cross join lateral (
      select coalesce(array_agg(origin), '{}') as origins from card_domains where account_id = ${account}
    ) d
    where coalesce(l.return_url, l.cancel_url) is not null
    offset 0
  ) w on true`;

/** An address of a domain that was removed since, or of an account that may not sell, is a way back no more. */
export function wayBackIn({ way_back: row }: WayBackRow, { mode, status }: { mode: Mode; status: string }): WayBack {
  const { origins = [] } = row ?? {};
  const open = (address: string | null | undefined) =>
    address && status === "approved" && leadsHome(address, { mode, origins }) ? address : null;
  return { returnUrl: open(row?.return_url), cancelUrl: open(row?.cancel_url) };
}
