import type { AccountContext } from "@/lib/accounts/context";
import { forAccount, queryOf, readFor } from "@/lib/db";
import { findByCode } from "@/lib/disputes/read";
import { disputesAt } from "@/lib/disputes/report";
import type { OpenBody } from "@/lib/disputes/schema";
import { AppError } from "@/lib/errors";
import { findReplay, type Idem, type Intent, once } from "@/lib/idempotency";
import type { ReportedDispute } from "@/lib/rails/disputes";
import { findTransaction } from "@/lib/transactions/read";
import { mayMove } from "@/lib/transactions/states";
import type { TransactionMethod } from "@/prisma/client/enums";

/** The simulated companies have this name in both ports. */
const PROVIDER = "simulator";

type Opening = OpenBody & { id: string; method: TransactionMethod };

/**
 * Sandbox: plays the payer who disputes a paid sale at the simulated PSP or acquirer, which calls us back like a real one, and with an
 * `outcome` decides at once. Throws `transaction_not_found`, `invalid_transition` and `rail_unavailable`.
 */
export async function simulateDispute({ id: accountId }: AccountContext, input: Opening, { idem }: Intent) {
  await findReplay(idem);
  const sale = await findTransaction(accountId, input.id);
  if (sale.method !== input.method) throw new AppError("transaction_not_found");
  if (!mayMove("dispute", sale)) throw new AppError("invalid_transition");
  const { reason, amount, outcome } = input;
  const paymentId = sale.endToEndId ?? sale.id;
  const opened = await reached(async () => {
    const { open, end } = disputesAt(sale.method, PROVIDER);
    const made = await open?.({ paymentId, reason, ...(amount && { amount }) });
    if (made && outcome) await end?.({ id: made.id, status: outcome });
    return made;
  });
  if (!opened) throw new AppError("invalid_transition");
  return answer(accountId, idem, "Contestação aberta no provedor simulado.");
}

type Ending = { code: string; status: Exclude<ReportedDispute["status"], "open">; amount?: number | null | undefined };

/** Sandbox: ends an open dispute as its provider would. Throws `dispute_not_found`, `invalid_transition` and `rail_unavailable`. */
export async function simulateEnd(
  { id: accountId }: AccountContext,
  { code, status, amount }: Ending,
  { idem }: Intent,
) {
  await findReplay(idem);
  const { dispute } = await readFor(accountId, (tx) => findByCode(queryOf(tx), accountId, code));
  const { method, providerId: id } = dispute;
  const isEnded = await reached(async () =>
    disputesAt(method, PROVIDER).end?.({ id, status, ...(amount && { lostAmount: amount }) }),
  );
  if (!isEnded) throw new AppError("invalid_transition");
  return answer(accountId, idem, "Contestação encerrada no provedor simulado.");
}

const reached = <T>(run: () => Promise<T>): Promise<T> =>
  run().catch((cause) => {
    throw new AppError("rail_unavailable", { cause });
  });

function answer(accountId: string, idem: Idem | undefined, message: string) {
  const result = { message };
  return idem ? forAccount(accountId, (tx) => once(tx, idem, async () => result)) : result;
}
