import { type AccountContext, type ContextRow, contextColumns, toContext } from "@/lib/accounts/context";
import { isPageToken } from "@/lib/auth/page-token";
import { coalesce } from "@/lib/concurrency/coalesce";
import { runPrepared } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { limitKey } from "@/lib/net/address";
import { limits, WINDOW_S } from "@/lib/rate-limits/spend-slot";
import { noteSpent } from "@/lib/rate-limits/spent";

/** No public key of ours and no origin that can be registered is longer. */
const MAX_LENGTH = { key: 64, origin: 255 };

/** The statuses of the public route's answers that a listed page may read. */
const READABLE = [201, 422, 429];

/** A page that calls with an account's public key; `cors` are the headers that let a listed page read its answers. */
export type PageCaller = { kind: "page"; account: AccountContext; cors: Record<string, string> };

/** The headers that let the page read an answer of this status. */
export const corsOf = ({ cors }: PageCaller, status: number) => (READABLE.includes(status) ? cors : {});

/**
 * Admits a page by its public key and its origin. The checks in order: the address's limit, the key, the limit of key
 * and address, and all else, which is answered with one 403. One statement reads everything whatever the cause, so that
 * the causes of a 403 cannot be distinguished by time either. Our own pages are admitted by a page token.
 * Throws `public_rate_limit_exceeded`, `invalid_public_key`, `public_origin_refused`.
 */
export async function authenticatePage(request: Request, ip: string): Promise<PageCaller> {
  const key = within(request.headers.get("x-public-key"), MAX_LENGTH.key);
  const origin = within(request.headers.get("origin"), MAX_LENGTH.origin);
  const pageToken = request.headers.get("x-page-token");
  const isSigned = pageToken !== null && isPageToken(pageToken, key);
  const isOurs = origin === new URL(env.APP_URL).origin; // also when a seller has listed it
  const found = await look({ address: limitKey(ip), key, origin });

  const account = isKnown(found) ? toContext(found) : undefined;
  const isActive = account?.status === "approved" && account.features.includes("cards");
  const isAdmitted = isActive && (isOurs ? isSigned : found.is_listed);
  const cors = isAdmitted && !isOurs ? corsFor(origin) : {};
  noteLeft(found);
  const tooMany = (retryAfterMs: number) => new AppError("public_rate_limit_exceeded", { retryAfterMs, headers: cors });
  if (!found.is_within) throw tooMany(found.address_wait_ms);
  if (!account) throw new AppError("invalid_public_key");
  if (!found.has_place) throw tooMany(found.wait_ms ?? 0);
  if (!isAdmitted) throw new AppError("public_origin_refused");
  return { kind: "page", account, cors };
}

function noteLeft({ address_left, address_more_in_s, left_over, more_in_s }: Row) {
  const note = (limit: "card-token-address" | "card-token", left: number, moreInS: number) =>
    noteSpent({ limit, quota: limits[limit](), windowS: WINDOW_S, left, moreInS });
  note("card-token-address", address_left, address_more_in_s);
  if (left_over !== null && more_in_s !== null) note("card-token", left_over, more_in_s);
}

const isKnown = (found: Row): found is Row & ContextRow => Boolean(found.account_id);

const within = (text: string | null, limit: number) => (text && text.length <= limit ? text : "");

const corsFor = (origin: string) => ({
  "access-control-allow-origin": origin,
  "access-control-expose-headers": "Retry-After, X-Request-Id, RateLimit-Policy, RateLimit",
  vary: "Origin",
});

/** Answers a browser's preflight. That has no key yet, so every page gets the same answer. */
export const preflight = async () =>
  new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers": "content-type, x-public-key",
      "access-control-max-age": "7200",
    },
  });

type Asked = { address: string; key: string; origin: string };

type Row = Partial<ContextRow> & {
  nth: string;
  is_within: boolean;
  address_wait_ms: number;
  address_left: number;
  address_more_in_s: number;
  has_place: boolean | null;
  wait_ms: number | null;
  /** Of the limit of key and address; null where the key is unknown or the address had no slot left. */
  left_over: number | null;
  more_in_s: number | null;
  is_listed: boolean;
};

const look = coalesce<Asked, Row>(async (asked) => {
  const columns = [asked.map(({ address }) => address), asked.map(({ key }) => key), asked.map(({ origin }) => origin)];
  const values = [...columns, limits["card-token-address"](), limits["card-token"]()];
  const rows = await runPrepared<Row>("page_caller", LOOK, values);
  return rows.sort((one, other) => Number(one.nth) - Number(other.nth));
});

/**
 * Looks up calls that arrive at the same moment together. It spends the slots of addresses before those of keys, each
 * in order, so that two statements never deadlock. Within one statement calls are admitted in the order of their
 * arrival.
 */
const LOOK = `with asked as materialized (
    select asked.*, k.account_id as owner
    from unnest($1::text[], $2::text[], $3::text[]) with ordinality as asked(address, key, origin, nth)
    left join public_keys k on k.key = asked.key
  ), scope as materialized (
    select set_config('app.accounts', coalesce(string_agg(distinct owner::text, ','), ''), true) as named from asked
  ), addresses as materialized (
    select address, (place).granted, (place).wait_ms, (place).left_over, (place).more_in_s from (
      select address, take_slots('card-token-address:' || address, $4, wanted) as place from (
        select address, count(*)::int as wanted from asked group by address order by address offset 0
      ) turn offset 0
    ) taken
  ), entered as materialized (
    select turn.*, a.wait_ms as address_wait_ms, a.more_in_s as address_more_in_s, place <= a.granted as is_within,
      a.left_over + greatest(0, a.granted - place) as address_left
    from (select *, row_number() over (partition by address order by nth) as place from asked) turn
    join addresses a on a.address = turn.address
  ), keys as materialized (
    select key, address, (place).granted, (place).wait_ms, (place).left_over, (place).more_in_s from (
      select key, address, take_slots('card-token:' || key || ':' || address, $5, wanted) as place from (
        select key, address, count(*)::int as wanted from entered where is_within and owner is not null
        group by key, address order by key, address offset 0
      ) turn offset 0
    ) taken
  )
  select e.nth, e.is_within, e.address_wait_ms, e.address_left::int as address_left, e.address_more_in_s,
    k.wait_ms, (k.left_over + greatest(0, k.granted - e.turn))::int as left_over, k.more_in_s,
    d.origin is not null as is_listed, ${contextColumns}, e.turn <= k.granted as has_place
  from scope
  cross join (select *, row_number() over (partition by key, address, is_within order by nth) as turn from entered) e
  left join keys k on k.key = e.key and k.address = e.address
  left join lateral (select * from accounts where id = e.owner and scope.named is not null offset 0) a on true
  left join lateral (
    select origin from card_domains where account_id = e.owner and origin = e.origin and scope.named is not null offset 0
  ) d on true`;
