import type { AccountContext } from "@/lib/accounts/context";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { methods } from "@/lib/methods/methods";
import { reais } from "@/lib/money";
import { readRefundable } from "@/lib/refunds/refundable";
import { readShares } from "@/lib/splits/read";
import { restOf } from "@/lib/splits/share";
import { businessNow, iso, isoOrNull } from "@/lib/time/clock";
import { isByOther } from "@/lib/transactions/payer";
import { presentTransactionV2 } from "@/lib/transactions/present";
import { readRelated } from "@/lib/transactions/related";
import type { Sale } from "@/lib/transactions/sale";
import type { TransactionDetail } from "@/lib/transactions/schema";
import { mayMove } from "@/lib/transactions/states";
import type { TransactionMethod } from "@/prisma/client/enums";

/**
 * All that the dashboard shows of a sale beside its timeline (`lib/timeline/read.ts`): its V2 form, its money line by line
 * and the allowed actions. Throws `transaction_not_found`, also for another account's sale.
 */
export function readTransactionDetail(account: AccountContext, id: string): Promise<TransactionDetail> {
  return readFor(account.id, async (tx) => {
    const sale = await tx.transaction.findUnique({ where: { accountId_id: { accountId: account.id, id } } });
    if (!sale) throw new AppError("transaction_not_found");
    const shares = await readShares(tx, [sale.id]);
    const payer = sale.payer as TransactionDetail["payer"];
    const { payerPolicy } = await tx.account.findUniqueOrThrow({
      where: { id: account.id },
      select: { payerPolicy: true },
    });
    return {
      ...presentTransactionV2(sale),
      pix_code: sale.pixCode,
      expires_at: isoOrNull(sale.expiresAt),
      settles_at: isoOrNull(sale.settleAt),
      settled_at: isoOrNull(sale.settledAt),
      late: sale.late,
      ...{ payer, is_paid_by_other: payerPolicy !== "accept" && isByOther(sale, payer) },
      external_id: sale.externalId,
      breakdown: {
        gross: reais(sale.amount),
        fee: reais(sale.fee),
        shares: shares.map(({ name, basisPoints, amount }) => ({
          name,
          percentage: basisPoints / 100,
          amount: reais(amount),
        })),
        net: reais(restOf(sale.net, shares)),
      },
      related: await readRelated(tx, sale),
      refundable: await refundableOf(tx, account, sale),
      allowed_actions: actionsOf(account, sale),
    };
  });
}

async function refundableOf(tx: Tx, account: AccountContext, sale: Sale): Promise<TransactionDetail["refundable"]> {
  const found = await readRefundable(tx, sale, businessNow(account));
  return (
    found && {
      ...{ until: iso(found.until), hindrance: found.hindrance, is_pending: found.isPending },
      ...{ left: reais(found.left), refunded: reais(found.refunded), fee: reais(found.fee) },
      pending_used: reais(found.pendingUsed),
    }
  );
}

/** The methods whose simulated companies hear of disputes. */
const DISPUTED: readonly TransactionMethod[] = ["pix", "card"];

/** The actions that a person may do in a sandbox: what the simulated payer and the clock would do. */
function actionsOf({ mode }: AccountContext, sale: Sale): TransactionDetail["allowed_actions"] {
  if (mode !== "sandbox") return [];
  if (mayMove("dispute", sale)) return DISPUTED.includes(sale.method) ? ["simulate_dispute"] : [];
  if (!methods[sale.method].byCode) return [];
  return [
    ...(mayMove("pay", sale) ? (["simulate_payment"] as const) : []),
    ...(mayMove("expire", sale) ? (["expire"] as const) : []),
  ];
}
