import type { AccountContext } from "@/lib/accounts/context";
import { newPause } from "@/lib/concurrency/pause";
import { forAccount, queryOf, readFor } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { findReplay, type Intent, once } from "@/lib/idempotency";
import { sendCall } from "@/lib/outside/calls";
import { railNamed } from "@/lib/rails/pix/rails";
import { withdrawalCall } from "@/lib/withdrawals/call";
import { findWithdrawal } from "@/lib/withdrawals/read";

/** How long it waits for what another process is sending at this moment. */
const WAIT_MS = 5_000;
const ASK_EVERY_MS = 200;

/**
 * Sandbox: sends a withdrawal, if that is not done yet, and says how the simulated PSP ends it, which then calls us back like a
 * real one. Throws `withdrawal_not_found`, `invalid_transition` for one that has ended or waits for a second person, and
 * `rail_unavailable`.
 */
export async function simulateWithdrawal(
  { id: accountId }: AccountContext,
  { id, isPaid }: { id: string; isPaid: boolean },
  { idem }: Intent,
) {
  await findReplay(idem);
  const read = () => readFor(accountId, (tx) => findWithdrawal(queryOf(tx), accountId, id));
  const { withdrawal } = await read();
  const { status, provider } = withdrawal;
  const simulation = railNamed(provider)?.payouts?.simulate;
  if (!simulation) throw new AppError("rail_unavailable");
  if (status !== "requested" && status !== "sending" && status !== "accepted") throw new AppError("invalid_transition");
  const end = async () => {
    const pause = newPause();
    for (const until = performance.now() + WAIT_MS; ; await pause.for(ASK_EVERY_MS)) {
      await sendCall(withdrawalCall, { accountId, id });
      if (await simulation.endPayout({ id, isPaid })) return true;
      const { status } = (await read()).withdrawal;
      if (status !== "sending" || performance.now() > until) return false;
    }
  };
  const isEnded = await end().catch((cause) => {
    throw new AppError("rail_unavailable", { cause });
  });
  if (!isEnded) throw new AppError("invalid_transition");
  const message = isPaid ? "Saque pago no provedor simulado." : "Saque não concluído no provedor simulado.";
  return idem ? forAccount(accountId, (tx) => once(tx, idem, async () => ({ message }))) : { message };
}
