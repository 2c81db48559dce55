import { readStaff } from "@/lib/accounts/addressee";
import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, queryOf } from "@/lib/db";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { writeMail } from "@/lib/mail/write";
import { realNow } from "@/lib/time/clock";
import type { TransactionMethod } from "@/prisma/client/enums";

/**
 * Refuses a charge or payout for which no provider is configured, which a repeat cannot change. Only the operator can: the staff
 * get a mail, one a day for each method. Throws `rail_not_configured`.
 */
export async function refuseWithoutRail(
  { id, name }: AccountContext,
  method: TransactionMethod | "payout",
): Promise<never> {
  log.warn({ accountId: id, method }, "a charge or payout was refused: no provider is configured");
  const day = realNow().toISOString().slice(0, 10);
  await forAccount([], async (tx) => {
    for (const { id: personId, to } of await readStaff(queryOf(tx))) {
      await writeMail(tx, {
        intent: `rail_missing:${method}:${day}:${personId}`,
        to,
        ...{ mode: null, accountId: null },
        content: { template: "rail_missing", seller: name, method, url: `${env.APP_URL}/operator/accounts/${id}` },
      });
    }
  });
  throw new AppError("rail_not_configured");
}
