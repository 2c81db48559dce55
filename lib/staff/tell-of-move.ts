import { readStaff } from "@/lib/accounts/addressee";
import { currentActor } from "@/lib/actor";
import { queryOf, type Tx } from "@/lib/db";
import { env } from "@/lib/env";
import type { ContentOf } from "@/lib/mail/templates";
import { writeMails } from "@/lib/mail/write";
import { iso, realNow } from "@/lib/time/clock";
import type { Mode } from "@/prisma/client/enums";

/** What somebody of the staff did with an account's money by hand. `id` is of the record of it, `amount` is in cents. */
type Moved = Pick<ContentOf<"staff_moved_money">, "act" | "amount" | "reason"> & {
  account: { id: string; name: string; mode: Mode };
  id: string;
};

/**
 * Mails everybody of the operator's staff that one of them moved live money by hand, in the transaction that moves it: whoever may do
 * that alone does it before the eyes of the others.
 */
export async function tellStaffOfMove(tx: Tx, { account, id, act, amount, reason }: Moved): Promise<void> {
  if (account.mode !== "live") return;
  const query = queryOf(tx);
  const [mover] = await query<{ name: string }>("staff_mover", "select name from users where id = $1::uuid", [
    currentActor().id ?? null,
  ]);
  const content: ContentOf<"staff_moved_money"> = {
    ...{ template: "staff_moved_money", act, amount, reason, seller: account.name, who: mover?.name ?? null },
    ...{ at: iso(realNow()), url: `${env.APP_URL}/operator/accounts/${account.id}` },
  };
  const staff = await readStaff(query);
  await writeMails(
    query,
    staff.map(({ id: personId, to }) => ({
      ...{ intent: `staff_moved_money:${id}:${personId}`, to, mode: null, accountId: null, content, isAlarm: true },
    })),
  );
}
