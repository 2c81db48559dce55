import { changeAccount } from "@/lib/accounts/change";
import type { AccountContext } from "@/lib/accounts/context";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { presentProfile } from "@/lib/profile/present";
import type { OwnProfile, ProfileChange } from "@/lib/profile/schema";
import { hasSubscriptions } from "@/lib/subscriptions/read";
import { businessNow } from "@/lib/time/clock";
import { Prisma } from "@/prisma/client/client";

/**
 * Changes what a seller says of its own account; members that are not given stay. Each mode has its own, so that a picture
 * is tried in the sandbox first. Throws `time_zone_fixed` for another zone once there was a subscription.
 */
export const changeProfile = (account: AccountContext, input: ProfileChange, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { phone, address, support_email, support_phone, time_zone, payer_policy } = input;
      const data = await changeOwn(tx, account, {
        ...(phone !== undefined && { phone }),
        ...(address !== undefined && { address: address ?? Prisma.DbNull }),
        ...(support_email !== undefined && { supportEmail: support_email }),
        ...(support_phone !== undefined && { supportPhone: support_phone }),
        ...(time_zone !== undefined && { timeZone: time_zone }),
        ...(payer_policy !== undefined && { payerPolicy: payer_policy }),
      });
      return { data };
    }),
  );

/** Changes an account's row, with the event of what differs. Throws as `changeProfile` does. */
export async function changeOwn(
  tx: Tx,
  account: AccountContext,
  data: Prisma.AccountUpdateInput & { timeZone?: string },
): Promise<OwnProfile> {
  const { id } = account;
  const { was, is } = await changeAccount(tx, id, async ({ timeZone }) => {
    const isMoved = data.timeZone !== undefined && data.timeZone !== timeZone;
    if (isMoved && (await hasSubscriptions(tx, id))) throw new AppError("time_zone_fixed");
    return data;
  });
  const [before, after] = [presentProfile(was), presentProfile(is)];
  const change = { accountId: id, subject: "account", id, verb: "updated", before, after } as const;
  await recordChange(tx, { ...change, at: businessNow(account) });
  return after;
}
