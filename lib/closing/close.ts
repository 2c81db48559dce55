import { noteClosing } from "@/lib/account-documents/note-closing";
import { changeAccount } from "@/lib/accounts/change";
import type { AccountContext } from "@/lib/accounts/context";
import { accountTransitions } from "@/lib/accounts/states";
import { recordChange } from "@/lib/audit/record-change";
import { closingOf, hindrances } from "@/lib/closing/read";
import type { CloseBody } from "@/lib/closing/schema";
import { revokeAll } from "@/lib/credentials/revoke";
import { forAccount } from "@/lib/db";
import { AppError, invalid } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { mailDecision } from "@/lib/reviews/mail";
import { leadsTo } from "@/lib/states";
import { iso, realNow } from "@/lib/time/clock";
import { removeAll } from "@/lib/webhooks/remove";
import type { Role } from "@/prisma/client/enums";

/**
 * Closes a live account for its owner: from then on it is only read, and its credentials and webhooks have ended. Throws
 * `insufficient_scope` for everybody else, `account_not_live`, 422 at `name` where it is not the account's, `invalid_transition` for a suspended account, and
 * `account_in_use`, which says what is in the way.
 */
export const closeAccount = (
  account: AccountContext,
  { name, role }: CloseBody & { role: Role | null },
  { idem }: Intent,
) =>
  forAccount(account.id, (tx) =>
    once(tx, idem, async () => {
      const { id, mode } = account;
      if (role !== "owner") throw new AppError("insufficient_scope");
      if (mode !== "live") throw new AppError("account_not_live");
      if (name !== account.name.trim()) throw invalid({ name: ["Digite o nome da conta como ele está escrito."] });
      const { was, is } = await changeAccount(tx, id, async ({ status }) => {
        if (!accountTransitions.close.from.some((from) => from === status)) throw new AppError("invalid_transition");
        const open = hindrances(await closingOf(tx, id));
        if (open.length > 0) {
          const details = Object.fromEntries(open.map(([what, value]) => [what, String(value)]));
          throw new AppError("account_in_use", { details });
        }
        return { ...leadsTo(accountTransitions.close), reviewAskedAt: null };
      });
      const [before, after] = [{ status: was.status }, { status: is.status }];
      await recordChange(tx, { accountId: id, subject: "account", id, verb: "closed", before, after });
      await revokeAll(tx, id);
      await removeAll(tx, id);
      const now = realNow();
      await noteClosing(tx, id, now);
      await mailDecision(tx, id, newId(), { template: "account_closed", seller: account.name, at: iso(now) });
      log.info({ accountId: id }, "an account was closed by its owner");
      return { message: "Conta encerrada." };
    }),
  );
