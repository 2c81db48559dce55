import { actAs } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { TIME_ZONE } from "@/lib/time/calendar";

type Look = { accountId: string; userId: string };

/**
 * Writes in an account's history that a person of the operator's staff looked at its records: once a day and person, of two
 * looks at once too.
 */
export async function recordLook({ accountId, userId }: Look): Promise<void> {
  await forAccount(accountId, async (tx) => {
    const isFirst = await tx.$executeRaw`
      insert into account_looks (account_id, user_id, day)
      select id, ${userId}::uuid, (now() at time zone ${TIME_ZONE})::date from accounts where id = ${accountId}::uuid
      on conflict do nothing`;
    if (isFirst === 0) return;
    const record = () => recordChange(tx, { accountId, subject: "look", id: accountId, verb: "created" });
    await actAs({ kind: "staff", id: userId }, record);
  });
}
