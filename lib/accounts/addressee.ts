import { queryOf, type Tx } from "@/lib/db";
import { type Locale, locales } from "@/messages";
import type { Mode } from "@/prisma/client/enums";

/** Where an account's mails go: its registered e-mail, in the language of its owner. */
export async function readAddressee(tx: Tx, accountId: string): Promise<Addressee> {
  const [row] = await queryOf(tx)<{ email: string; mode: Mode; locale: string | null }>("addressee", READ, [accountId]);
  if (!row) throw new Error(`No account ${accountId} in scope`);
  const locale = locales.find((known) => known === row.locale) ?? "pt-BR";
  return { to: { email: row.email, locale }, mode: row.mode, accountId };
}

type Addressee = { to: { email: string; locale: Locale }; mode: Mode; accountId: string };

/** Memberships name the live account, also for its sandbox. */
const READ = `select a.email, a.mode, (
    select u.locale from memberships m join users u on u.id = m.user_id
    where m.account_id = coalesce(a.twin_id, a.id) and m.role = 'owner' order by u.id limit 1
  ) as locale
  from accounts a where a.id = $1::uuid`;
