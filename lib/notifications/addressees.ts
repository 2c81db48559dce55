import { type Query, queryOf, type Tx } from "@/lib/db";
import { asLocale } from "@/lib/locale/of-person";
import { type Mail, writeMails } from "@/lib/mail/write";
import type { Topic } from "@/lib/notifications/schema";

/** Somebody of an account's team who is to be mailed, and whether they want it. The mode is known of accounts in scope. */
type Addressee = Pick<Mail, "to" | "mode"> & { accountId: string; personId: string; wants: boolean };

/**
 * Who of these accounts' teams is mailed about a topic, in the order in which the accounts were given. With `andOwners` also the
 * owners who do not want it, for what they must hear of whatever somebody chose in their name.
 */
export async function readNotified(
  query: Query,
  topic: Topic,
  accountIds: readonly string[],
  { andOwners = false } = {},
): Promise<Addressee[]> {
  const rows = await query<Row>("notified", READ, [accountIds, topic, andOwners]);
  return rows.map(({ email, locale, ...rest }) => ({ ...rest, to: { email, locale: asLocale(locale ?? undefined) } }));
}

type Row = Omit<Addressee, "to"> & { email: string; locale: string | null };

const READ = `select given.id as "accountId", a.mode, u.id as "personId", u.email, u.locale, w.wants
  from unnest($1::uuid[]) with ordinality as given(id, place)
  cross join lateral (
    select user_id, role, topics, has_chosen_topics from memberships where account_id = given.id
    union all
    select user_id, role, topics, has_chosen_topics from memberships where sandbox_id = given.id
  ) m
  join users u on u.id = m.user_id
  left join lateral (select mode from accounts where id = given.id offset 0) a on true
  cross join lateral (
    select case when m.has_chosen_topics then $2 = any(m.topics) else m.role = 'owner' end as wants
  ) w
  where w.wants or ($3 and m.role = 'owner')
  order by given.place, u.id`;

type Written = Pick<Mail, "intent" | "content" | "occurredAt" | "isAlarm">;

/** A mail to one of them. */
export const mailTo = ({ personId, wants: _, ...addressee }: Addressee, mail: Written): Mail => ({
  ...addressee,
  ...mail,
  intent: `${mail.intent}:${personId}`,
});

/**
 * Writes a mail to all of an account's team who want it, in the transaction of the change that it tells of. `from` is the
 * account that brought it about, where that is another one: its limits are those of the mail.
 */
export async function mailTeam(
  tx: Tx,
  topic: Topic,
  accountId: string,
  mail: Written & { from?: Pick<Mail, "mode" | "accountId"> },
) {
  const { from, ...written } = mail;
  const query = queryOf(tx);
  const addressees = await readNotified(query, topic, [accountId]);
  await writeMails(
    query,
    addressees.map((addressee) => ({ ...mailTo(addressee, written), ...from })),
  );
}
