import { type Query, queryOf, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { limits } from "@/lib/limits";
import type { MailContent } from "@/lib/mail/templates";
import { encrypt } from "@/lib/vault";
import { wakeOnCommit } from "@/lib/wake";
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
};

/** The context that the vault binds a mail's content to. */
export const contentContext = (id: string) => `mail:${id}`;

/**
 * Writes a mail, in the transaction of the change that it tells of. A mail without an account needs no scope: where there
 * is no account at all, `forAccount([], …)` is such a transaction.
 */
export const writeMail = (tx: Tx, mail: Mail): Promise<void> => writeMails(queryOf(tx), [mail]);

/**
 * The same for many mails in one statement, for work in sets. A mail that an account writes above its limit of a day
 * (`limits.mailsADay`) is kept, but not sent: it waits as `exhausted` until a person of the staff sends it.
 */
export async function writeMails(query: Query, mails: readonly Mail[]): Promise<void> {
  if (mails.length === 0) return;
  const rows = mails.map((mail, place) => {
    const { intent, to, mode, accountId, content } = mail;
    const id = newId();
    const sealed = encrypt(JSON.stringify(content), contentContext(id)).toString("base64");
    const { template } = content;
    return { place, id, account_id: accountId, intent, template, locale: to.locale, mode, recipient: to.email, sealed };
  });
  const { sandbox, live } = limits.mailsADay;
  await query("write_mails", WRITE, [JSON.stringify(rows), sandbox, live]);
  wakeOnCommit(query, "mails");
}

/**
 * The mails of each account are counted only up to its limit. `on conflict` names no column, because it would then ask
 * whether the writer may read the mail, and a mail of nobody is read by none.
 */
const WRITE = `with given as materialized (
    select *, row_number() over (partition by account_id order by place) as number
    from json_to_recordset($1::json) as g(place int, id uuid, account_id uuid, intent text, template text, locale text,
      mode "Mode", recipient text, sealed text)
  ), room as materialized (
    select a.account_id, a.allowed - (
      select count(*) from (
        select from mails m where m.account_id = a.account_id and m.created_at > now() - interval '1 day'
        limit a.allowed
      ) today
    ) as free
    from (
      select account_id, case when bool_or(mode = 'live') then $3::int else $2::int end as allowed
      from given where account_id is not null group by account_id
    ) a
  ), judged as (
    select g.*, g.account_id is not null and g.number > coalesce(r.free, 0) as is_over
    from given g left join room r on r.account_id = g.account_id
  )
  insert into mails (id, account_id, intent, template, locale, mode, recipient, sealed_content, status, error,
    next_attempt_at)
  select id, account_id, intent, template, locale, mode, recipient, decode(sealed, 'base64'),
    case when is_over then 'exhausted' else 'pending' end::"MailStatus",
    case when is_over then 'daily_limit' end,
    case when not is_over then statement_timestamp() end
  from judged order by place
  on conflict do nothing`;
