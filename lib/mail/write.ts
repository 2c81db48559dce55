import { countStored, rowBytes } from "@/lib/accounts/storage";
import { onCommit, type Query, queryOf, type Tx } from "@/lib/db";
import { wakeOnCommit } from "@/lib/due/wake";
import { newId } from "@/lib/ids";
import { alarms, kindOf, kinds, ofAccountADay, ofAddressADay, ofBothADay } from "@/lib/mail/limits";
import type { MailContent } from "@/lib/mail/templates";
import { encrypt } from "@/lib/vault/vault";
import type { Locale } from "@/messages";
import type { Mode } from "@/prisma/client/enums";

export type Mail = {
  /** What the mail is about, unique for ever: `split_invited:<id>`. A mail whose intent is known is not written again. */
  intent: string;
  to: { email: string; locale: Locale };
  /** A sandbox's mail says that it is a test. */
  mode: Mode | null;
  /** Whose mail it is; null for what is written before an account is known, such as a forgotten password. */
  accountId: string | null;
  content: MailContent;
  /** When it was written by the account's clock, where that brought it about. */
  occurredAt?: Date;
  /** Whether it warns of what may be somebody else's doing, so that no limit of the day keeps it back. */
  isAlarm?: boolean;
};

/** The context that the vault binds a mail's content to. */
export const contentContext = (id: string) => `mail:${id}`;

/**
 * Writes a mail, in the transaction of the change that it tells of. A mail without an account needs no scope: where there
 * is no account at all, `forAccount([], …)` is such a transaction.
 */
export const writeMail = (tx: Tx, mail: Mail): Promise<void> => writeMails(queryOf(tx), [mail]);

/**
 * The same for many mails in one statement, for work in sets. What is above a limit of the day, that of the account or that
 * of the address, is not written. One row for each account and day says how many those were: its status is `exhausted`, its
 * error `daily_limit`, and their number its `attempts`.
 */
export async function writeMails(query: Query, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map((mail, place) => {
    const { intent, to, mode, accountId, content, occurredAt, isAlarm = false } = mail;
    const id = newId();
    const sealed = encrypt(JSON.stringify(content), contentContext(id)).toString("base64");
    const { template } = content;
    const row = { place, id, account_id: accountId, intent, template, locale: to.locale, mode, sealed, at: occurredAt };
    const limits = { of_address: isAlarm ? null : ofAddressADay[template], of_both: ofBothADay[template] ?? 0 };
    const counts = { is_alarm: isAlarm || alarms.includes(template), kind: kindOf(template) };
    return { ...row, ...limits, ...counts, recipient: to.email.toLowerCase() };
  });
  const { sandbox, first, most } = ofAccountADay;
  const values = [JSON.stringify(rows), sandbox, first, most, JSON.stringify(COUNTED)];
  const written = await query<{ accountId: string; number: number }>("write_mails", WRITE, values);
  onCommit(query, () => {
    for (const { accountId, number } of written) countStored(accountId, number * rowBytes.mail);
  });
  wakeOnCommit(query, "mails");
}

/** The kinds of mails, by the templates that are of each, or for all others by those that are not. */
const COUNTED = [
  ...Object.entries(kinds).map(([kind, templates]) => ({ kind, templates, is_of: true })),
  { kind: "others", templates: Object.values(kinds).flat(), is_of: false },
];

/**
 * The mails of each kind of each account, and those of each address are counted only up to their limit, and those of an
 * address only where their account may write them. `on conflict` names no column for the mails
 * themselves, because it would then ask whether the writer may read the mail, and a mail of nobody is read by none. A sandbox
 * has no limits of addresses: it writes to nobody but its own people (`claim.ts`), in days as short as its clock makes them.
 */
const WRITE = `with given as materialized (
    select *, row_number() over (partition by account_id, is_alarm, kind order by place) as number
    from json_to_recordset($1::json) as g(place int, id uuid, account_id uuid, intent text, template text, locale text,
      mode "Mode", recipient text, sealed text, at timestamptz, of_address int, of_both int, is_alarm boolean, kind text)
  ), room as materialized (
    select a.account_id, a.kind, a.allowed - (
      select count(*) from (
        select from mails m where m.account_id = a.account_id and m.created_at > now() - interval '1 day'
          and (m.template = any(k.templates)) = k.is_of
        limit a.allowed
      ) today
    ) as free
    from (
      select g.account_id, g.kind, case when bool_or(g.mode = 'live') then least($4::int, $3::int * 2 ^ least(10, floor(
          extract(epoch from now() - coalesce(min(a.created_at), now())) / 604800)))::int else $2::int end as allowed
      from given g left join lateral (select created_at from accounts where id = g.account_id limit 1) a on true
      where g.account_id is not null group by g.account_id, g.kind
    ) a
    join json_to_recordset($5::json) as k(kind text, templates text[], is_of boolean) on k.kind = a.kind
  ), of_account as materialized (
    select g.*, g.account_id is not null and not g.is_alarm and g.number > coalesce(r.free, 0) as is_above
    from given g left join room r on r.account_id = g.account_id and r.kind = g.kind
  ), numbered as materialized (
    select *, row_number() over (partition by recipient, template, mode, is_above order by place) as number_of_address,
      row_number() over (partition by account_id, recipient, template, is_above order by place) as number_of_both
    from of_account
  ), judged as materialized (
    select n.*, n.is_above or (n.account_id is not null and n.mode = 'live' and n.of_address is not null
      and n.number_of_both + (
        select count(*) from (
          select from mails m where m.recipient = n.recipient and m.template = n.template and m.account_id = n.account_id
            and m.created_at > now() - interval '1 day' and m.error is distinct from 'daily_limit'
          limit n.of_both
        ) own
      ) > n.of_both
      and n.number_of_address + mails_today(n.recipient, n.template, n.of_address) > n.of_address) as is_over
    from numbered n
  ), not_written as (
    insert into mails as m (id, account_id, intent, template, locale, mode, recipient, status, error, attempts)
    select (array_agg(id order by place))[1], account_id, 'not_written:' || account_id || ':' || current_date,
      (array_agg(template order by place))[1], min(locale), min(mode), (array_agg(recipient order by place))[1],
      'exhausted', 'daily_limit', count(*)
    from judged where is_over group by account_id
    on conflict (intent) do update set attempts = m.attempts + excluded.attempts
  ), written as (
    insert into mails (id, account_id, intent, template, locale, mode, recipient, sealed_content, status, next_attempt_at,
      occurred_at)
    select id, account_id, intent, template, locale, mode, recipient, decode(sealed, 'base64'), 'pending',
      statement_timestamp(), at
    from judged where not is_over order by place
    on conflict do nothing
  )
  select account_id as "accountId", count(*)::int as number from judged
  where account_id is not null and not is_over group by 1`;
