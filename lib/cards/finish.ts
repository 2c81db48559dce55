import { mayCrash } from "@/lib/cards/crash-points";
import { presentCharge, refusalOf } from "@/lib/cards/present";
import { businessNow } from "@/lib/clock";
import { forAccount, type Tx } from "@/lib/db";
import type { Call } from "@/lib/deposits/request";
import type { Share } from "@/lib/deposits/shares";
import { emit } from "@/lib/events";
import { keepAnswer } from "@/lib/http/idempotency";
import { enqueue, type Jobs } from "@/lib/jobs/enqueue";
import { PLATFORM } from "@/lib/ledger/chart";
import { post } from "@/lib/ledger/post";
import { acquirerNamed, type Outcome } from "@/lib/rails/cards/port";
import type { Account, Transaction } from "@/prisma/client/client";

export type Asked = Jobs["cards.resolve"];

/** What became of a charge; `null`: no answer; `lost`: the acquirer never heard of it, and will not any more. */
export type Result = Outcome | { status: "lost" } | null;

/** An acquirer that still does not know our id after so long was never reached. */
const LOST_AFTER_MS = 120_000;
/** How soon the acquirer is asked again after it did not answer. */
const ASK_AGAIN_MS = 2_000;

/**
 * The second transaction of a charge: status, money, event and the key's answer, together or not at all; only the
 * first to come finds the sale pending. Returns the sale as it is then.
 */
export async function finishCharge(asked: Asked, result: Result, call?: Call): Promise<Transaction> {
  const { accountId, transactionId: id } = asked;
  const where = { accountId_id: { accountId, id } };
  const { shares } = await forAccount(accountId, (tx) => tx.transaction.findUniqueOrThrow({ where }));
  const recipients = (shares as Share[]).map(({ account_id }) => account_id);
  return forAccount([accountId, ...recipients, PLATFORM], async (tx) => {
    if (result) await move(tx, asked, result);
    else await askAgain(tx, asked);
    const sale = await tx.transaction.findUniqueOrThrow({ where });
    if (call?.idem) {
      const answer = refusalOf(sale, call.requestId) ?? call.idem.render(presentCharge(sale));
      await keepAnswer(tx, call.idem, answer);
    }
    mayCrash("charge.finishing");
    return sale;
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
  const { accountId, transactionId } = asked;
  const { sale, charge } = await forAccount(accountId, async (tx) => ({
    sale: await tx.transaction.findUniqueOrThrow({ where: { accountId_id: { accountId, id: transactionId } } }),
    charge: await tx.cardCharge.findUniqueOrThrow({
      where: { accountId_transactionId: { accountId, transactionId } },
    }),
  }));
  if (sale.status !== "pending") return;
  const acquirer = acquirerNamed(charge.acquirer);
  if (!acquirer) throw new Error(`No acquirer is named ${charge.acquirer}`);
  const outcome = await acquirer.find(transactionId);
  mayCrash("resolve.answered");
  const isLost = Date.now() - charge.createdAt.getTime() > LOST_AFTER_MS;
  if (!outcome && !isLost) throw new Error(`${charge.acquirer} does not know ${transactionId} yet`);
  await finishCharge(asked, outcome ?? { status: "lost" });
}
