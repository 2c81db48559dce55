import { mayCrash } from "@/lib/cards/crash-points";
import { renderCharge } from "@/lib/cards/present";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import type { Share } from "@/lib/deposits/shares";
import { emit } from "@/lib/events";
import { keepAnswer } from "@/lib/http/idempotency";
import { enqueue, type Jobs } from "@/lib/jobs/enqueue";
import { PLATFORM } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { log } from "@/lib/log";
import { acquirerNamed, type Outcome } from "@/lib/rails/cards/port";
import type { Account, Transaction } from "@/prisma/client/client";

export type Asked = Jobs["cards.resolve"];

/** What became of a charge; `null`: no answer; `lost`: the acquirer does not know it, long after it was last sent. */
type Result = Outcome | { status: "lost" } | null;

/** An acquirer that still does not know our id after so long was never reached: no charge is sent so late. */
const LOST_AFTER_MS = 15 * 60_000;
/** How soon the acquirer is asked again after it did not answer. */
const ASK_AGAIN_MS = 2_000;

type Finished = { sale: Transaction; isAnswerOurs: boolean };

/**
 * The second transaction of a charge: status, money, event and, for a caller, the key's answer, together or not at all;
 * only the first to come finds the sale pending. Returns the sale as it is then, and whether the caller's key has no
 * other answer.
 */
export async function finishCharge(asked: Asked, result: Result, call?: Call): Promise<Finished> {
  const { accountId, transactionId: id } = asked;
  const where = { accountId_id: { accountId, id } };
  const { shares } = await forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where }));
  const recipients = (shares as Share[]).map(({ account_id }) => account_id);
  return forAccount([accountId, ...recipients, PLATFORM], async (tx) => {
    if (result) await move(tx, asked, result);
    else await askAgain(tx, asked);
    const sale = await tx.transaction.findUniqueOrThrow({ where });
    if (result?.status === "approved" && !sale.paidAt) await noteLateApproval(tx, sale);
    const { idem, requestId = "" } = call ?? {};
    const isAnswerOurs = !idem || (await keepAnswer(tx, idem, renderCharge(idem, sale, requestId)));
    mayCrash("charge.finishing");
    return { sale, isAnswerOurs };
  });
}

const statuses = { approved: "completed", refused: "refused", lost: "failed" } as const;

async function move(tx: Tx, { accountId, transactionId: id }: Asked, result: NonNullable<Result>) {
  const account = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  const now = businessNow(account);
  const status = statuses[result.status];
  const [sale] = await tx.transaction.updateManyAndReturn({
    where: { accountId, id, status: "pending" },
    data: {
      status,
      updatedAt: now,
      ...(status === "completed" && { paidAt: now, settleAt: settlementOf(account, now) }),
      ...(result.status === "refused" && { refusedReason: result.reason }),
    },
  });
  if (!sale) return;
  if (status === "completed") await postCharge(tx, sale);
  else await tx.storedCard.deleteMany({ where: { accountId, transactionId: id } });
  const where = { accountId_transactionId: { accountId, transactionId: id } };
  await tx.cardCharge.update({ where, data: { answeredAt: new Date() } });
  const data = { status, previous_status: "pending" };
  await emit(tx, { accountId, type: "transaction.updated", subjectId: id, data, occurredAt: now });
}

/** Money that the acquirer took for a sale that had ended without it: the operator's to give back. */
async function noteLateApproval(tx: Tx, { id, accountId, amount, status }: Transaction) {
  log.error({ accountId, transactionId: id, status }, "a card was charged for a sale that had ended");
  const data = { provider: "cards", endToEndId: id, amount, reason: "charged_too_late" };
  await tx.unmatchedReceipt.createMany({ data, skipDuplicates: true });
}

const settlementOf = ({ cardSettlementDays }: Account, paidAt: Date) =>
  new Date(paidAt.getTime() + cardSettlementDays * 86_400_000);

/** Into `pending`, fee and shares at once; `lib/cards/settle.ts` makes it available. */
async function postCharge(tx: Tx, sale: Transaction) {
  const account = sale.accountId;
  const amounts = { net: Number(sale.net), fee: Number(sale.fee) };
  await post(tx, { type: "card_completed", sourceId: sale.id, owners: { account }, amounts });
  for (const share of sale.shares as Share[]) {
    const owners = { account, recipient: share.account_id };
    await post(tx, { type: "card_split_paid", sourceId: share.id, owners, amounts: { share: share.amount } });
  }
}

async function askAgain(tx: Tx, asked: Asked) {
  const runAt = new Date(Date.now() + ASK_AGAIN_MS);
  await enqueue(tx, "cards.resolve", asked, { key: `cards.resolve:${asked.transactionId}`, runAt });
}

/**
 * The `cards.resolve` job: a charge whose answer is unknown is asked about under its own id, never charged again. Throws
 * while the acquirer does not answer, or does not know the id but still might, so that the job runs again.
 */
export async function resolveCharge(asked: Asked): Promise<void> {
  const { transactionId } = asked;
  const charge = await findCharge(asked);
  if (charge.status !== "pending") return;
  const acquirer = acquirerNamed(charge.acquirer);
  if (!acquirer) throw new Error(`No acquirer is named ${charge.acquirer}`);
  const outcome = await acquirer.find(transactionId);
  mayCrash("resolve.answered");
  if (!outcome && charge.ageMs < LOST_AFTER_MS)
    throw new Error(`${charge.acquirer} does not know ${transactionId} yet`);
  await finishCharge(asked, outcome ?? { status: "lost" });
}

type Found = { status: Transaction["status"]; acquirer: string; ageMs: number };

/** A charge under way, and how old it is by the database's clock: web and worker may disagree about the time. */
export async function findCharge({ accountId, transactionId }: Asked): Promise<Found> {
  const [found] = await forAccount(
    accountId,
    (tx) => tx.$queryRaw<Found[]>`
      select t.status::text as status, c.acquirer,
        (extract(epoch from clock_timestamp() - c.created_at) * 1000)::float8 as "ageMs"
      from card_charges c join transactions t on t.account_id = c.account_id and t.id = c.transaction_id
      where c.account_id = ${accountId}::uuid and c.transaction_id = ${transactionId}::uuid`,
  );
  if (!found) throw new Error(`No card charge ${transactionId}`);
  return found;
}
