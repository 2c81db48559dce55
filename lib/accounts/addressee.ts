import { type Query, queryOf, type Tx } from "@/lib/db";
import { asLocale } from "@/lib/locale/of-person";
import type { Locale } from "@/messages";
import type { Mode, StaffRole } from "@/prisma/client/enums";

/** Where the operator's mails to an account go: its registered e-mail, in the language of its first owner. */
export async function readAddressee(tx: Tx, accountId: string): Promise<Addressee> {
  const [row] = await queryOf(tx)<{ email: string; mode: Mode; locale: string | null }>("addressee", READ, [accountId]);
  if (!row) throw new Error(`No account ${accountId} in scope`);
  const { email, mode, locale } = row;
  return { to: { email, locale: asLocale(locale ?? undefined) }, mode, accountId };
}

/** Where mails to each person of the operator's staff go, or to those of one role, but for who is only invited. */
export async function readStaff(query: Query, role?: StaffRole): Promise<{ id: string; to: Addressee["to"] }[]> {
  const rows = await query<{ id: string; email: string; locale: string | null }>("addressees_staff", STAFF, [
    role ?? null,
  ]);
  return rows.map(({ id, email, locale }) => ({ id, to: { email, locale: asLocale(locale ?? undefined) } }));
}

const STAFF = `select id, email, locale from users
  where staff_roles <> '{}' and email_confirmed_at is not null and ($1::text is null or $1 = any(staff_roles::text[]))
  order by id`;

type Addressee = { to: { email: string; locale: Locale }; mode: Mode; accountId: string };

/** Memberships name the live account, also for its sandbox. */
const READ = `select a.email, a.mode, (
    select u.locale from memberships m join users u on u.id = m.user_id
    where m.account_id = coalesce(a.twin_id, a.id) and m.role = 'owner' order by u.id limit 1
  ) as locale
  from accounts a where a.id = $1`;
