import { currentActor } from "@/lib/actor";
import { forAccount, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { type Intent, once } from "@/lib/idempotency";
import { log } from "@/lib/log";
import { move } from "@/lib/move";
import { writeCalls } from "@/lib/outside/calls";
import { mayCrash } from "@/lib/process/crash-points";
import { callOf, providerOf } from "@/lib/refunds/call";
import { refundNoun } from "@/lib/refunds/noun";
import { presentRefund } from "@/lib/refunds/present";
import { findRefund } from "@/lib/refunds/read";
import { idOfCode } from "@/lib/refunds/record";

/**
 * Approves a refund, for the operator's staff: its rail is asked to send the money back once this is written. Who of the staff
 * asked for it does not approve it: nobody moves money alone. Throws `refund_not_found`, `own_request`, `invalid_transition`, and `rail_not_configured` where nobody can send the money back.
 */
export async function approveRefund(
  { accountId, code }: { accountId: string; code: string },
  { idem, requestId }: Intent,
) {
  const id = idOfCode(code);
  const found = await readFor(accountId, (tx) => findRefund(queryOf(tx), accountId, id));
  const provider = providerOf(found);
  if (!provider) throw new AppError("rail_not_configured");
  const { refund } = found;
  await assertAskedByAnother(accountId, refund.id);
  return forAccount(accountId, (tx) =>
    once(tx, idem, async () => {
      const query = queryOf(tx);
      const [moved] = await move(tx, refundNoun, "approve", [{ accountId, id: refund.id, requestId }]);
      if (!moved) throw new AppError("invalid_transition");
      await writeCalls(query, [{ accountId, id: refund.id, kind: callOf(found).name, provider }]);
      mayCrash("refund.approved");
      log.info({ accountId, code }, "a refund was approved by staff");
      return { data: presentRefund(await findRefund(query, accountId, refund.id)) };
    }),
  );
}

const ASKED_BY = `select 1 from events where account_id = $1::uuid and subject_id = $2::uuid and data ->> 'status' = 'pending'
  and actor ->> 'kind' = 'staff' and actor ->> 'id' = $3`;

/** Who asked for a refund is in its first event, which never changes. */
async function assertAskedByAnother(accountId: string, id: string): Promise<void> {
  const me = currentActor();
  if (me.kind !== "staff") return;
  const own = await readFor(accountId, (tx) => queryOf(tx)("refund_asked_by", ASKED_BY, [accountId, id, me.id]));
  if (own.length > 0) throw new AppError("own_request");
}
