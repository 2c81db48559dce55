import { billDue } from "@/lib/billing/bill-due";
import { lockSubscriptions } from "@/lib/billing/lock";
import { beginChange } from "@/lib/billing/subscription-change";
import { runDueTimers } from "@/lib/billing/timers";
import { writeChanges } from "@/lib/billing/write";
import { inParallel } from "@/lib/concurrency/parallel";
import { asSystem, forAccount, inBackground, transactionOverAll } from "@/lib/db";
import { newId } from "@/lib/ids";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aPlan } from "@/lib/testing/subscriptions";

const RECIPIENTS = 3;

/** A seller with a plan whose sales are shared by three recipients. */
export async function makePlan(): Promise<{ made: Made; plan: string }> {
  const made = await makeAccount();
  const { accountId } = made;
  await asSystem((tx) => tx.account.update({ where: { id: accountId }, data: { storageLimitMb: 1_000_000 } }));
  const plan = await aPlan(made);
  for (let count = 0; count < RECIPIENTS; count++) {
    const recipient = await makeAccount();
    await forAccount(accountId, (tx) =>
      tx.planSplit.create({
        data: {
          ...{
            accountId,
            planId: plan,
            mode: "sandbox",
            email: recipient.email,
            name: "Recebedor",
            basisPoints: 1_000,
          },
          ...{ status: "accepted", recipientId: recipient.accountId, invitedAt: new Date(), acceptedAt: new Date() },
          linkHash: new Uint8Array(Buffer.from(newId())),
        },
      }),
    );
  }
  return { made, plan };
}

/** `count` more active subscriptions of the plan whose second cycle is to be charged now. */
export async function makeDue(accountId: string, plan: string, count: number): Promise<string[]> {
  const rows = await forAccount(
    accountId,
    (tx) => tx.$queryRaw<{ id: string }[]>`
      with person as (
        insert into subscribers (account_id, id, document, name, email, created_at, updated_at)
        select ${accountId}::uuid, new_id(), md5(gen_random_uuid()::text), 'Ana Prado', 'ana@example.com', now(), now()
        from generate_series(1, ${count}) returning *
      )
      insert into subscriptions (account_id, id, subscriber_id, plan_id, plan_version, name, email, document, status,
        anchor, next_cycle, act_at, started_at, created_at, updated_at)
      select account_id, new_id(), id, ${plan}::uuid, 1, name, email, document, 'active', current_date - 26, 2,
        now() - interval '1 minute', now(), now(), now()
      from person returning id`,
  );
  return rows.map(({ id }) => id);
}

/** Bills all that is due, as the worker's loop does. Returns how many a second. */
export async function billInSets(count: number): Promise<number> {
  const bill = billDue();
  const began = performance.now();
  await inBackground(async () => {
    while (await bill());
  });
  return count / ((performance.now() - began) / 1_000);
}

const AT_ONCE = 8;

/** Bills the same, each subscription in a transaction of its own, which makes the same writes. Returns how many a second. */
export async function billOneByOne(accountId: string, ids: readonly string[]): Promise<number> {
  const began = performance.now();
  await inBackground(() => inParallel(ids, AT_ONCE, (id) => billOne(accountId, id)));
  return ids.length / ((performance.now() - began) / 1_000);
}

const billOne = (accountId: string, id: string) =>
  transactionOverAll(async (query) => {
    const held = await lockSubscriptions(query, [{ accountId, id }]);
    const changes = held.map((one) => beginChange(one));
    for (const change of changes) runDueTimers(change);
    await writeChanges(query, changes);
  });
