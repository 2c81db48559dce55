import type { AccountContext } from "@/lib/accounts/context";
import { lockAccount } from "@/lib/accounts/lock";
import { recordChange } from "@/lib/audit/record-change";
import { forAccount } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { presentRequest } from "@/lib/profile-requests/present";
import type { ProfileRequestBody } from "@/lib/profile-requests/schema";
import { mailWaiting } from "@/lib/reviews/mail";
import { realNow } from "@/lib/time/clock";

/**
 * Asks the operator to change what it has reviewed of a live account, one request at a time. Throws `account_not_live` and
 * `profile_request_open`.
 */
export const requestChange = (account: AccountContext, input: ProfileRequestBody, { idem }: Intent) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id: accountId, mode, name: seller } = account;
      if (mode !== "live") throw new AppError("account_not_live");
      await lockAccount(tx, accountId); // of two at once the second finds the first
      const open = await tx.profileRequest.findFirst({ where: { accountId, status: "pending" }, select: { id: true } });
      if (open) throw new AppError("profile_request_open");
      const { name, document, legal_representative: legalRepresentative } = input;
      const row = await tx.profileRequest.create({
        data: {
          ...{ accountId, id: newId(), createdAt: realNow() },
          ...(name !== undefined && { name }),
          ...(document !== undefined && { document }),
          ...(legalRepresentative && { legalRepresentative }),
        },
      });
      const after = presentRequest(row);
      await recordChange(tx, { accountId, subject: "profile_request", id: row.id, verb: "created", after });
      await mailWaiting(tx, { accountId, seller, about: "profile" });
      return { data: after };
    }),
  );
