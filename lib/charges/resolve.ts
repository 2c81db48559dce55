import { mayCrash } from "@/lib/charges/crash-points";
import { finishCharge } from "@/lib/charges/finish";
import { asSystem, forAccount } from "@/lib/db";
import { log } from "@/lib/log";
import { acquirerNamed } from "@/lib/rails/cards/port";
import { readShares } from "@/lib/splits/read";
import type { Share } from "@/lib/splits/share";
import type { Sale } from "@/lib/transactions/sale";

/** An acquirer that still does not know our id after so long was never reached: no charge is sent so late. */
const LOST_AFTER_MS = 15 * 60_000;

/** Asked about at once, and in one run. */
const MOST = 50;

export type Asked = { accountId: string; transactionId: string };

/**
 * Sweep: asks about each charge whose end is not known, and again until it is, however long that takes: after a quarter
 * of its age, at least 10 s, which no question outlasts, and at most an hour. A run ends with its first fifty: where
 * nobody answers, more would be due for ever. Returns how many were asked about.
 */
export async function resolveDueCharges(): Promise<number> {
  const due = await takeDue();
  const told = due.map((asked) =>
    resolveCharge(asked).catch((error) => log.warn({ ...asked, error }, "it is not known yet what became of a charge")),
  );
  await Promise.all(told);
  return due.length;
}

/** Whoever takes a charge asks about it; should it die, the next to come does. */
const takeDue = () =>
  asSystem(
    (tx) => tx.$queryRaw<Asked[]>`
      update card_charges
      set ask_at = now() + least(greatest((now() - created_at) / 4, interval '10 seconds'), interval '1 hour')
      where ctid = any(array(
        select ctid from card_charges where answered_at is null and ask_at <= now()
        order by ask_at limit ${MOST} for update skip locked
      ))
      returning account_id as "accountId", transaction_id as "transactionId"`,
  );

/**
 * Asks about a charge whose answer is unknown, under its own id; it is never charged again. Throws while the acquirer
 * does not answer, or does not know the id but still might.
 */
export async function resolveCharge(asked: Asked): Promise<void> {
  const charge = await findCharge(asked);
  if (charge.status !== "pending") return;
  const acquirer = acquirerNamed(charge.acquirer);
  if (!acquirer) throw new Error(`No acquirer is named ${charge.acquirer}`);
  const outcome = await acquirer.find(charge);
  mayCrash("resolve.answered");
  if (!outcome && charge.ageMs < LOST_AFTER_MS) throw new Error(`${charge.acquirer} does not know ${charge.id} yet`);
  await finishCharge(charge, outcome ?? { status: "lost" });
}

type Found = Pick<Sale, "accountId" | "id" | "status"> & {
  shares: Share[];
  amount: number;
  acquirer: string;
  ageMs: number;
};

/** A charge under way, and how old it is by the database's clock: web and worker may disagree about the time. */
export async function findCharge({ accountId, transactionId }: Asked): Promise<Found> {
  const found = await forAccount(accountId, async (tx) => {
    const [charge] = await tx.$queryRaw<Omit<Found, "shares">[]>`
      select t.account_id as "accountId", t.id, t.status::text as status, t.amount::float8 as amount, c.acquirer,
        (extract(epoch from clock_timestamp() - c.created_at) * 1000)::float8 as "ageMs"
      from card_charges c join transactions t on t.account_id = c.account_id and t.id = c.transaction_id
      where c.account_id = ${accountId}::uuid and c.transaction_id = ${transactionId}::uuid`;
    return charge && { ...charge, shares: await readShares(tx, [transactionId]) };
  });
  if (!found) throw new Error(`No card charge ${transactionId}`);
  return found;
}
