import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { findReplay, type Intent, once } from "@/lib/idempotency";
import { methods } from "@/lib/methods/methods";
import { sendCall } from "@/lib/outside/calls";
import { railFor } from "@/lib/rails/pix/rails";
import { approveRefund } from "@/lib/refunds/approve";
import { callOf, nameOf } from "@/lib/refunds/call";
import { findRefund } from "@/lib/refunds/read";
import { codeOf, idOfCode } from "@/lib/refunds/record";

/**
 * Sandbox: has a refund approved, if it is not yet, and says how the simulated PSP ends it, which then calls us back like a
 * real one. Throws `refund_not_found`, `invalid_transition` for one that has ended, and `rail_unavailable`.
 */
export async function simulateRefund(
  { id: accountId }: AccountContext,
  { code, isCompleted }: { code: string; isCompleted: boolean },
  intent: Intent,
) {
  await findReplay(intent.idem);
  const found = await readFor(accountId, (tx) => findRefund(queryOf(tx), accountId, idOfCode(code)));
  const { id, status } = found.refund;
  const isByRail = methods[found.sale.method].refundedBy === "rail";
  const rail = railFor("sandbox");
  if (!rail?.endSentBack) throw new AppError("rail_unavailable");
  // An acquirer ends a refund at once, and refuses none that is allowed.
  if (!isByRail && !isCompleted) throw new AppError("invalid_transition");
  if (status === "pending")
    await approveRefund({ accountId, code: codeOf(found.refund) }, { ...intent, idem: undefined });
  else if (status !== "approved" && status !== "processing") throw new AppError("invalid_transition");
  const end = async () => {
    await sendCall(callOf(found), { accountId, id });
    return !isByRail || rail.endSentBack?.({ ...nameOf(found), isCompleted });
  };
  const isEnded = await end().catch((cause) => {
    throw new AppError("rail_unavailable", { cause });
  });
  if (!isEnded) throw new AppError("invalid_transition");
  const message = isCompleted ? "Estorno concluído no provedor simulado." : "Estorno recusado no provedor simulado.";
  const { idem } = intent;
  return idem ? forAccount(accountId, (tx) => once(tx, idem, async () => ({ message }))) : { message };
}
