import type { Actor } from "@/lib/actor";
import type { Tx } from "@/lib/db";
import { decimal } from "@/lib/money";
import type { Share } from "@/lib/splits/share";
import { attemptsOf } from "@/lib/timeline/attempts";
import { realTime } from "@/lib/timeline/clocks";
import { CARDS, type Entry, onlyReal, plain } from "@/lib/timeline/entry";
import type { Transaction } from "@/prisma/client/client";

/** What happened around a sale: the requests that led to its events, its events, deliveries, ledger lines, unmatched money. */
export async function entriesOfSale(tx: Tx, sale: Transaction, shares: readonly Pick<Share, "id">[]): Promise<Entry[]> {
  const { accountId } = sale;
  const events = await tx.event.findMany({ where: { accountId, subjectId: sale.id }, orderBy: { id: "asc" } });
  const requestIds = events.flatMap(({ requestId }) => requestId ?? []);
  const requests = await tx.requestLog.findMany({ where: { accountId, id: { in: requestIds } } });
  const happened = events.map(
    (event): Entry => ({
      ...{ ...plain, id: event.id, occurredAt: event.occurredAt, real: realOf(event) },
      ...{ kind: "event", title: event.type, status: (event.data as { status: string }).status, detail: null },
      actor: event.actor as Actor | null,
    }),
  );
  return [
    ...requests.map(
      (request): Entry => ({
        ...{ ...plain, ...onlyReal(request.createdAt), id: request.id, kind: "request" },
        title: `${request.method} ${request.path}`,
        status: String(request.status),
        detail: `${request.durationMs} ms`,
      }),
    ),
    ...happened,
    ...(await attemptsOf(tx, accountId, happened)),
    ...(await ledgerLines(tx, sale, shares)),
    ...(await unmatched(tx, sale)),
  ];
}

/** An event's id has its real time to the millisecond; where the account's clock is the real one, that is more exact. */
function realOf({ id, occurredAt }: { id: string; occurredAt: Date }): Date {
  const real = realTime(id);
  return Math.abs(real.getTime() - occurredAt.getTime()) < SAME_CLOCK_MS ? occurredAt : real;
}

/** How far apart the times of one event on two equal clocks may be. */
const SAME_CLOCK_MS = 60_000;

type Line = { id: bigint; type: string; kind: string; amount: bigint; created_at: Date };

async function ledgerLines(tx: Tx, sale: Transaction, shares: readonly Pick<Share, "id">[]): Promise<Entry[]> {
  const sources = [sale.id, ...shares.map(({ id }) => id)];
  const rows = await tx.$queryRaw<Line[]>`
    select e.id, p.type, e.kind, e.amount, e.created_at
    from ledger_postings p join ledger_entries e on e.posting_id = p.id and e.account_id = ${sale.accountId}::uuid
    where p.account_id = ${sale.accountId}::uuid and p.source_id = any(${sources}::uuid[]) order by e.id`;
  return rows.map((line) => ({
    ...{ ...plain, ...onlyReal(line.created_at), id: String(line.id) },
    kind: "ledger",
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
    ...{ ...plain, ...onlyReal(createdAt), id: endToEndId },
    kind: "unmatched",
    title: reason,
    status: decimal(amount),
    detail: provider === CARDS ? null : endToEndId,
  }));
}
