import { type Query, queryOf, type Tx } from "@/lib/db";
import { asLocale } from "@/lib/locale/of-person";
import type { Locale } from "@/messages";
import type { Mode } from "@/prisma/client/enums";

/** Where an account's mails go: its registered e-mail, in the language of its owner. */
export async function readAddressee(tx: Tx, accountId: string): Promise<Addressee> {
  const [addressee] = await readAddressees(queryOf(tx), [accountId]);
  if (!addressee) throw new Error(`No account ${accountId} in scope`);
  return addressee;
}

/** The same of many accounts, for work in sets. They come in the order in which they were given. */
export async function readAddressees(query: Query, accountIds: readonly string[]): Promise<Addressee[]> {
  const rows = await query<{ id: string; email: string; mode: Mode; locale: string | null }>("addressees", READ, [
    accountIds,
  ]);
  return rows.map(({ id, email, mode, locale }) => {
    return { to: { email, locale: asLocale(locale ?? undefined) }, mode, accountId: id };
  });
}

/** Where mails to each person of the operator's staff go, but for who is only invited. */
export async function readStaff(query: Query): Promise<{ id: string; to: Addressee["to"] }[]> {
  const rows = await query<{ id: string; email: string; locale: string | null }>("addressees_staff", STAFF, []);
  return rows.map(({ id, email, locale }) => ({ id, to: { email, locale: asLocale(locale ?? undefined) } }));
}

const STAFF =
  "select id, email, locale from users where staff_roles <> '{}' and email_confirmed_at is not null order by id";

type Addressee = { to: { email: string; locale: Locale }; mode: Mode; accountId: string };

/** Memberships name the live account, also for its sandbox. */
const READ = `select a.id, a.email, a.mode, (
    select u.locale from memberships m join users u on u.id = m.user_id
    where m.account_id = coalesce(a.twin_id, a.id) and m.role = 'owner' order by u.id limit 1
  ) as locale
  from unnest($1::uuid[]) with ordinality as given(id, place)
  cross join lateral (select * from accounts where id = given.id offset 0) a
  order by given.place`;
