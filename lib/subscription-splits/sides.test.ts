import { beforeAll, expect, test } from "vitest";
import { forAccount, type Tx } from "@/lib/db";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit } from "@/lib/subscription-splits/answer";
import { inviteToPlan } from "@/lib/subscription-splits/invite";
import { showInvitations } from "@/lib/subscription-splits/prove-email";
import { call, type Made, makeAccount } from "@/lib/testing/make";

let seller: Made;
let ana: Made;
let bia: Made;
let plan: string;
/** Ana's accepted split and Bia's pending one, of the same plan. */
let ids: { ana: number; bia: number };

beforeAll(async () => {
  [seller, ana, bia] = [await makeAccount(), await makeAccount(), await makeAccount()];
  const input = PlanInput.parse({ name: "Mensal", amount: "49.90", billing_method: "qr_code" });
  plan = (await createPlan(seller.account, input, call())).data.token;
  const invite = async ({ email }: Made) =>
    (await inviteToPlan(seller.account, { ...InviteInput.parse({ email, percentage: 10 }), planId: plan }, call())).data
      .id;
  ids = { ana: await invite(ana), bia: await invite(bia) };
  await acceptSplit(ana.account, { id: String(ids.ana) }, call());
});

/** What the program's role sees with an account's scope, and with an e-mail that was proven. */
const seen = ({ accountId }: Made, email: string | null = null) =>
  forAccount(accountId, async (tx) => {
    await showInvitations(tx, email);
    return (await tx.planSplit.findMany({ orderBy: { id: "asc" } })).map(({ id }) => id);
  });

test("the seller sees both splits, each recipient only its own, and a pending one only with its proven e-mail", async () => {
  expect(await seen(seller)).toEqual([ids.ana, ids.bia]);
  expect(await seen(ana)).toEqual([ids.ana]);
  expect(await seen(bia)).toEqual([]);
  expect(await seen(bia, bia.email)).toEqual([ids.bia]);
  expect(await seen(bia, ana.email)).toEqual([]); // it is accepted, and Bia is not its recipient
});

test("a recipient sees neither the plan nor its seller's account, but only what is offered", async () => {
  const found = await forAccount(ana.accountId, async (tx) => ({
    plans: await tx.plan.count(),
    accounts: await tx.account.count({ where: { id: seller.accountId } }),
    offer: await tx.$queryRaw<object[]>`select * from plan_offer(${seller.accountId}::uuid, ${plan}::uuid)`,
    after: await tx.plan.count(), // the scope is the transaction's own again
  }));
  const offered = ["amount", "name", "number", "periodicity_days", "product", "seller_email", "seller_name"];
  expect(found).toMatchObject({ plans: 0, accounts: 0, after: 0 });
  expect(Object.keys(found.offer[0] ?? {}).sort()).toEqual(offered);
});

test("a recipient cannot change an agreed split, take another's, or answer for another account", async () => {
  const attempt = (made: Made, email: string, change: (tx: Tx) => Promise<unknown>) =>
    forAccount(made.accountId, async (tx) => {
      await showInvitations(tx, email);
      return change(tx);
    });
  expect(await attempt(ana, ana.email, (tx) => tx.$executeRaw`update plan_splits set status = 'cancelled'`)).toBe(0);
  const answer = (recipient: string) => (tx: Tx) =>
    tx.$executeRaw`update plan_splits set status = 'accepted', recipient_id = ${recipient}::uuid where id = ${ids.bia}`;
  await expect(attempt(bia, bia.email, answer(ana.accountId))).rejects.toThrow(/row-level security/);
  expect(await attempt(ana, ana.email, answer(ana.accountId))).toBe(0);
  const more = (tx: Tx) => tx.$executeRaw`update plan_splits set status = 'accepted', recipient_id =
    ${bia.accountId}::uuid, basis_points = 9000 where id = ${ids.bia}`;
  await expect(attempt(bia, bia.email, more)).rejects.toThrow(/append-only/);
  await expect(attempt(bia, bia.email, (tx) => tx.$executeRaw`delete from plan_splits`)).rejects.toThrow(/denied/);
});
