import type { AccountContext } from "@/lib/accounts/context";
import { type Happened, onBothClocks, realTime } from "@/lib/dashboard/clocks";
import { readFor, type Tx } from "@/lib/db";
import { AppError } from "@/lib/errors";
import { methods } from "@/lib/methods/methods";
import { decimal, reais } from "@/lib/money";
import { readShares } from "@/lib/splits/read";
import { restOf, type Share } from "@/lib/splits/share";
import { isoOrNull } from "@/lib/time/clock";
import { presentTransactionV2 } from "@/lib/transactions/present";
import { readRelated } from "@/lib/transactions/related";
import type { Sale } from "@/lib/transactions/sale";
import type { TransactionDetail } from "@/lib/transactions/schema";
import { mayMove } from "@/lib/transactions/states";
import type { Transaction } from "@/prisma/client/client";

type Timeline = TransactionDetail["timeline"];
type Entry = Omit<Timeline[number], "at" | "real_at"> & Happened;

/**
 * All that the dashboard shows of a sale: its V2 form, its money line by line, the allowed actions, and one timeline of
 * request, events, deliveries, ledger entries and unmatched money, newest first. Throws `transaction_not_found`, also for another
 * account's sale.
 */
export function readTransactionDetail(account: AccountContext, id: string): Promise<TransactionDetail> {
  return readFor(account.id, async (tx) => {
    const sale = await tx.transaction.findUnique({ where: { accountId_id: { accountId: account.id, id } } });
    if (!sale) throw new AppError("transaction_not_found");
    const shares = await readShares(tx, [sale.id]);
    return {
      ...presentTransactionV2(sale),
      pix_code: sale.pixCode,
      expires_at: isoOrNull(sale.expiresAt),
      settles_at: isoOrNull(sale.settleAt),
      settled_at: isoOrNull(sale.settledAt),
      late: sale.late,
      payer: sale.payer as TransactionDetail["payer"],
      external_id: sale.externalId,
      delivery_address: sale.deliveryAddress as TransactionDetail["delivery_address"],
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
      allowed_actions: actionsOf(account, sale),
      timeline: onBothClocks(await entriesOf(tx, sale, shares), Number(await clockOf(tx, account))),
    };
  });
}

/** The actions that a person may do in a sandbox: what the simulated payer and the clock would do. */
function actionsOf({ mode }: AccountContext, sale: Sale): TransactionDetail["allowed_actions"] {
  if (mode !== "sandbox" || !methods[sale.method].byCode) return [];
  return [
    ...(mayMove("pay", sale) ? (["simulate_payment"] as const) : []),
    ...(mayMove("expire", sale) ? (["expire"] as const) : []),
  ];
}

/** How far the account's clock is ahead at present, in milliseconds. */
async function clockOf(tx: Tx, { id }: AccountContext): Promise<bigint> {
  const select = { clockOffsetMs: true };
  return (await tx.account.findUniqueOrThrow({ where: { id }, select })).clockOffsetMs;
}

/** What happened around a sale, the latest first by real time. */
async function entriesOf(tx: Tx, sale: Transaction, shares: Share[]): Promise<Entry[]> {
  const { accountId } = sale;
  const events = await tx.event.findMany({ where: { accountId, subjectId: sale.id }, orderBy: { id: "asc" } });
  const eventIds = events.map(({ id }) => id);
  const requestIds = events.flatMap(({ requestId }) => requestId ?? []);
  const requests = await tx.requestLog.findMany({ where: { accountId, id: { in: requestIds } } });
  const deliveries = await tx.delivery.findMany({ where: { accountId, eventId: { in: eventIds } } });
  const attempts = await tx.deliveryAttempt.findMany({
    where: { accountId, deliveryId: { in: deliveries.map(({ id }) => id) } },
  });
  const lines = await ledgerLines(tx, sale, shares);
  const deliveryOf = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
  const entries: Entry[] = [
    ...requests.map((request) => ({
      id: request.id,
      ...onlyReal(request.createdAt),
      kind: "request" as const,
      title: `${request.method} ${request.path}`,
      status: String(request.status),
      detail: `${request.durationMs} ms`,
    })),
    ...events.map((event) => ({
      id: event.id,
      ...{ occurredAt: event.occurredAt, real: realOf(event) },
      kind: "event" as const,
      title: event.type,
      status: (event.data as { status: string }).status,
      detail: null,
    })),
    ...attempts.map((attempt) => ({
      id: attempt.id,
      ...onlyReal(attempt.createdAt),
      kind: "delivery" as const,
      title: deliveryOf.get(attempt.deliveryId)?.event ?? "",
      status: attempt.responseStatus === null ? attempt.error : String(attempt.responseStatus),
      detail: deliveryOf.get(attempt.deliveryId)?.url ?? null,
    })),
    ...lines,
    ...(await unmatched(tx, sale)),
  ];
  return entries.sort((one, other) => one.real.getTime() - other.real.getTime()).reverse();
}

const onlyReal = (real: Date): Happened => ({ occurredAt: null, real });

/** An event's id has its real time to the millisecond; where the account's clock is the real one, that is more exact. */
function realOf({ id, occurredAt }: { id: string; occurredAt: Date }): Date {
  const real = realTime(id);
  return Math.abs(real.getTime() - occurredAt.getTime()) < SAME_CLOCK_MS ? occurredAt : real;
}

/** How far apart the times of one event on two equal clocks may be. */
const SAME_CLOCK_MS = 60_000;

type Line = { id: bigint; type: string; kind: string; amount: bigint; created_at: Date };

async function ledgerLines(tx: Tx, sale: Transaction, shares: Share[]): Promise<Entry[]> {
  const sources = [sale.id, ...shares.map(({ id }) => id)];
  const rows = await tx.$queryRaw<Line[]>`
    select e.id, p.type, e.kind, e.amount, e.created_at
    from ledger_postings p join ledger_entries e on e.posting_id = p.id and e.account_id = ${sale.accountId}::uuid
    where p.account_id = ${sale.accountId}::uuid and p.source_id = any(${sources}::uuid[]) order by e.id`;
  return rows.map((line) => ({
    id: String(line.id),
    ...onlyReal(line.created_at),
    kind: "ledger" as const,
    title: line.type,
    status: line.kind,
    detail: decimal(line.amount),
  }));
}

/** Money that a provider holds for us under this sale's code or id and that completed no sale. */
async function unmatched(tx: Tx, { id, txid }: Transaction): Promise<Entry[]> {
  const byCard = { provider: CARDS, endToEndId: id };
  const receipts = await tx.unmatchedReceipt.findMany({ where: { OR: [byCard, ...(txid ? [{ txid }] : [])] } });
  return receipts.map(({ provider, endToEndId, createdAt, reason, amount }) => ({
    id: endToEndId,
    ...onlyReal(createdAt),
    kind: "unmatched" as const,
    title: reason,
    status: decimal(amount),
    detail: provider === CARDS ? null : endToEndId,
  }));
}

/** The provider of unmatched card money, whose `endToEndId` is the sale's own id (`lib/charges/call.ts`). */
const CARDS = "cards";
