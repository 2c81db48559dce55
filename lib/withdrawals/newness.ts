import { type Query, queryOf, type Tx } from "@/lib/db";
import { DAY_MS } from "@/lib/time/calendar";
import { realNow } from "@/lib/time/clock";
import type { Asker } from "@/lib/withdrawals/asker";

type Asked = { accountId: string; pixKey: string; by: Asker; now: Date };

/**
 * Whether something about a withdrawal is so new that the lower limit is in force: the key, to which no money arrived a day ago
 * or before (`now` is the account's time); the credential, whose scopes or networks changed less than a day ago; the person's
 * password, second factor or place in the team. Whoever takes one of them over gets no more out, and has a day to be noticed.
 */
export async function isNew(tx: Tx, { accountId, pixKey, by, now }: Asked): Promise<boolean> {
  const query = queryOf(tx);
  const yesterday = new Date(now.getTime() - DAY_MS);
  const [key] = await query<{ known: boolean }>("withdrawal_key_known", KEY, [accountId, pixKey, yesterday]);
  if (!key?.known) return true;
  const since = new Date(realNow().getTime() - DAY_MS);
  if (by.kind === "session") return isPersonNew(query, by);
  return (await query("withdrawal_program_known", PROGRAM, [by.clientId, since])).length === 0;
}

/** Whether a person's password, second factor or place in the team changed less than a day ago. */
export async function isPersonNew(query: Query, { userId, liveId }: { userId: string; liveId: string }) {
  const since = new Date(realNow().getTime() - DAY_MS);
  return (await query("withdrawal_person_known", PERSON, [userId, liveId, since])).length === 0;
}

const KEY = `select exists (
    select from withdrawals where account_id = $1::uuid and pix_key = $2 and paid_at <= $3::timestamptz
  ) as known`;

const PERSON = `select 1 from users u join memberships m on m.user_id = u.id
  where u.id = $1::uuid and m.account_id = $2::uuid and m.created_at <= $3::timestamptz
    and coalesce(u.password_changed_at <= $3::timestamptz, true) and coalesce(u.second_factor_changed_at <= $3::timestamptz, true)`;

const PROGRAM = "select 1 from credentials where client_id = $1::uuid and changed_at <= $2::timestamptz";
