import { runPrepared } from "@/lib/db";
import type { AccountOfPerson } from "@/lib/team/schema";

const ACCOUNTS = `select m.account_id as live_id, m.sandbox_id, m.role, a.name
  from memberships m cross join lateral account_in_scope(m.account_id) a
  where m.user_id = $1 order by a.name, m.account_id`;

/** The accounts that a person may open, by their names. */
export const listAccountsOf = async ({ userId }: { userId: string }): Promise<{ data: AccountOfPerson[] }> => ({
  data: await runPrepared<AccountOfPerson>("accounts_of_person", ACCOUNTS, [userId]),
});
