import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readContext } from "@/lib/accounts/read";
import { SignUpBody } from "@/lib/accounts/schema";
import { actAs } from "@/lib/actor";
import type { Scope } from "@/lib/auth/scopes";
import { forAccount, prisma } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { newId } from "@/lib/ids";
import { createPlan } from "@/lib/plans/create";
import { PlanInput } from "@/lib/plans/schema";
import { archivePlan } from "@/lib/plans/update";
import { readShares } from "@/lib/splits/read";
import { InviteInput } from "@/lib/splits/schema";
import { acceptSplit, rejectSplit } from "@/lib/subscription-splits/answer";
import { cancelSplit } from "@/lib/subscription-splits/cancel";
import { invitesTo, inviteToPlan } from "@/lib/subscription-splits/invite";
import { isProvedByLink } from "@/lib/subscription-splits/prove-email";
import { listReceived, listSent, listSplitsOf, readByLink, readOffer } from "@/lib/subscription-splits/read";
import { SplitQuery } from "@/lib/subscription-splits/schema";
import { lettersTo, linkMailedTo, mailsOf, secretOfInvite } from "@/lib/testing/mails";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { confirmLink } from "@/lib/users/confirm";
import { signUp } from "@/lib/users/sign-up";

const DAY_MS = 86_400_000;
const all = SplitQuery.parse({ per_page: 100 });
const aPlan = { name: "Mensal", amount: "49.90", billing_method: "qr_code" };

async function planOf({ account }: Made): Promise<string> {
  return (await createPlan(account, PlanInput.parse(aPlan), call())).data.token;
}

async function invite(seller: Made, plan: string, to: { email: string }, percentage: number | string): Promise<string> {
  const input = InviteInput.parse({ email: to.email, percentage });
  return String((await inviteToPlan(seller.account, { ...input, planId: plan }, call())).data.id);
}

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "done",
    (error) => (error instanceof AppError ? error.code : Promise.reject(error)),
  );

/** Sells a plan once, and returns the shares of the sale by recipient, in basis points. */
async function sharesOfSale(seller: Made, plan: string) {
  const { identifier } = await requestDeposit(seller.account, cashIn({ plan_token: plan }), call());
  const shares = await forAccount(seller.accountId, (tx) => readShares(tx, [identifier]));
  return shares.map(({ recipientId, basisPoints, amount, planId }) => ({ recipientId, basisPoints, amount, planId }));
}

test("an accepted invite shares every later sale of its plan, and no sale from before it or after its end", async () => {
  const [seller, ana] = [await makeAccount({ feeBasisPoints: 0 }), await makeAccount()];
  const plan = await planOf(seller);
  const id = await invite(seller, plan, ana, "12.35");
  expect(await sharesOfSale(seller, plan)).toEqual([]);
  await acceptSplit(ana.account, { id }, call());
  const share = { recipientId: ana.accountId, basisPoints: 1235, amount: 1235, planId: plan };
  expect(await sharesOfSale(seller, plan)).toEqual([share]);
  await cancelSplit(seller.account, { id });
  expect(await sharesOfSale(seller, plan)).toEqual([]);
});

test("an acceptance keeps who accepted, when, from where and which terms", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const id = await invite(seller, await planOf(seller), ana, 10);
  const person = { kind: "person", id: newId(), ip: "203.0.113.9" } as const;
  await actAs(person, () => acceptSplit(ana.account, { id }, call()));
  const kept = await forAccount(seller.accountId, (tx) =>
    tx.planSplit.findUniqueOrThrow({ where: { id: Number(id) } }),
  );
  expect(kept).toMatchObject({
    ...{ status: "accepted", recipientId: ana.accountId, acceptedBy: person.id, acceptedIp: person.ip },
    ...{
      acceptedAt: expect.any(Date),
      termsVersion: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      name: ana.account.name,
    },
  });
});

describe("a pending invite", () => {
  test("is seen by its seller and by whoever proved the e-mail, and by nobody else", async () => {
    const [seller, ana, other] = [await makeAccount(), await makeAccount(), await makeAccount()];
    const id = Number(await invite(seller, await planOf(seller), ana, 10));
    const idsOf = async (list: Promise<{ data: { id: number }[] }>) => (await list).data.map((invite) => invite.id);
    expect(await idsOf(listSent(seller.account, all))).toEqual([id]);
    expect(await idsOf(listReceived(ana.account, all))).toEqual([id]);
    for (const list of [
      listReceived(seller.account, all),
      listReceived(other.account, all),
      listSent(ana.account, all),
    ]) {
      expect(await idsOf(list)).toEqual([]);
    }
    expect(await codeOf(acceptSplit(other.account, { id: String(id) }, call()))).toBe("split_not_found");
    expect(await codeOf(rejectSplit(other.account, { id: String(id) }, call()))).toBe("split_not_found");
    expect(await codeOf(acceptSplit(seller.account, { id: String(id) }, call()))).toBe("split_not_found");
    expect(await codeOf(cancelSplit(ana.account, { id: String(id) }))).toBe("split_not_found");
  });

  test("is hidden from an account that is registered with its e-mail and has not proved it", async () => {
    const [seller, claimed] = [await makeAccount(), await makeAccount({ isProven: false })];
    const id = await invite(seller, await planOf(seller), claimed, 10);
    expect((await listReceived(claimed.account, all)).meta.total).toBe(0);
    expect(await codeOf(acceptSplit(claimed.account, { id }, call()))).toBe("split_not_found");
  });

  test("of a sandbox never reaches a live account, nor the other way round", async () => {
    for (const [from, to] of [
      ["sandbox", "live"],
      ["live", "sandbox"],
    ] as const) {
      const [seller, ana] = [await makeAccount({ mode: from }), await makeAccount({ mode: to })];
      const id = await invite(seller, await planOf(seller), ana, 10);
      expect((await listReceived(ana.account, all)).meta.total).toBe(0);
      expect(await codeOf(acceptSplit(ana.account, { id }, call()))).toBe("split_not_found");
    }
  });
});

test("the secret of a mail's link lets any account of the mode accept, once, and shows the invite to nobody else", async () => {
  const [seller, ana, other] = [await makeAccount(), await makeAccount({ isProven: false }), await makeAccount()];
  const plan = await planOf(seller);
  const id = await invite(seller, plan, { email: "ana@elsewhere.example" }, 10);
  const secret = await secretOfInvite(id);
  expect((await readByLink(ana.account, secret)).data).toMatchObject({ id: Number(id), status: "pending" });
  expect(await codeOf(readByLink(ana.account, `${secret}x`))).toBe("split_not_found");
  const live = await makeAccount({ mode: "live" });
  expect(await codeOf(acceptSplit(live.account, { secret }, call()))).toBe("split_not_found");
  await acceptSplit(ana.account, { secret }, call());
  expect((await readByLink(ana.account, secret)).data.status).toBe("accepted");
  expect(await codeOf(readByLink(other.account, secret))).toBe("split_not_found");
  expect(await codeOf(acceptSplit(other.account, { secret }, call()))).toBe("split_not_found");
  expect(await sharesOfSale(seller, plan)).toMatchObject([{ recipientId: ana.accountId }]);
});

test("an invitation's secret proves its e-mail while it is pending and for thirty days, and every other one is nothing", async () => {
  const [seller, other] = [await makeAccount(), await makeAccount()];
  const invited = async () => {
    const email = `${newId()}@example.com`;
    const id = await invite(seller, await planOf(seller), { email }, 10);
    return { email, id, secret: await secretOfInvite(id) };
  };
  const [cancelled, accepted, rejected, old] = [await invited(), await invited(), await invited(), await invited()];
  const all = [cancelled, accepted, rejected, old];
  for (const { secret, email } of all) expect(await isProvedByLink(secret, email)).toBe(true);
  const daysAgo = (days: number) => ({ invitedAt: new Date(Date.now() - days * 86_400_000) });
  const age = (data: object) =>
    forAccount(seller.accountId, (tx) => tx.planSplit.updateMany({ where: { id: Number(old.id) }, data }));
  await cancelSplit(seller.account, { id: cancelled.id });
  await acceptSplit(other.account, { secret: accepted.secret }, call());
  await rejectSplit(other.account, { secret: rejected.secret }, call());
  await age(daysAgo(29));
  expect(await isProvedByLink(old.secret, old.email)).toBe(true);
  await age(daysAgo(31));
  const third = await makeAccount();
  for (const { secret, email } of [...all, { secret: "x".repeat(43), email: "a@example.com" }]) {
    expect(await isProvedByLink(secret, email)).toBe(false);
    expect(await codeOf(readByLink(third.account, secret))).toBe("split_not_found");
    expect(await codeOf(acceptSplit(third.account, { secret }, call()))).toBe("split_not_found");
  }
});

test("an invitation's offer is read by its secret alone, while it is pending and for thirty days", async () => {
  const seller = await makeAccount();
  const email = `${newId()}@example.com`;
  const id = await invite(seller, await planOf(seller), { email }, 10);
  const secret = await secretOfInvite(id);
  const { data } = await readOffer(secret);
  expect(data).toMatchObject({ id: Number(id), percentage: "10.00", recipient: { email }, plan: { name: "Mensal" } });
  expect(await codeOf(readOffer(`${secret.slice(0, -1)}!`))).toBe("split_not_found");
  await forAccount(seller.accountId, (tx) =>
    tx.planSplit.update({ where: { id: Number(id) }, data: { invitedAt: new Date(Date.now() - 31 * DAY_MS) } }),
  );
  expect(await codeOf(readOffer(secret))).toBe("split_not_found");
  await cancelSplit(seller.account, { id });
  expect(await codeOf(readOffer(secret))).toBe("split_not_found");
});

test("the mail of an acceptance leads to the invitations of the seller's account, whichever its reader last looked at", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const id = await invite(seller, await planOf(seller), ana, 10);
  await acceptSplit(ana.account, { id }, call());
  const [letter] = (await lettersTo(seller.email)).filter(({ template }) => template === "split_accepted");
  expect(letter).toMatchObject({ url: `${env.APP_URL}/${seller.accountId}/splits/sent` });
});

test("a pending invitation whose link is old is accepted by its confirmed e-mail, or sent again once it was cancelled", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const plan = await planOf(seller);
  const id = await invite(seller, plan, ana, 10);
  const secret = await secretOfInvite(id);
  const data = { invitedAt: new Date(Date.now() - 400 * 86_400_000) };
  await forAccount(seller.accountId, (tx) => tx.planSplit.updateMany({ where: { id: Number(id) }, data }));
  expect(await codeOf(acceptSplit(ana.account, { secret }, call()))).toBe("split_not_found");
  await cancelSplit(seller.account, { id });
  const again = await invite(seller, plan, ana, 10);
  expect(await codeOf(acceptSplit(ana.account, { secret: await secretOfInvite(again) }, call()))).toBe("done");
  const older = await invite(seller, await planOf(seller), ana, 10);
  await forAccount(seller.accountId, (tx) => tx.planSplit.updateMany({ where: { id: Number(older) }, data }));
  expect(await codeOf(acceptSplit(ana.account, { id: older }, call()))).toBe("done");
});

test("who signed up by an invitation's link accepts that one at once, and others once a mail has confirmed the address", async () => {
  const seller = await makeAccount();
  const email = `${newId()}@example.com`;
  const [first, second] = [
    await invite(seller, await planOf(seller), { email }, 10),
    await invite(seller, await planOf(seller), { email }, 10),
  ];
  const secret = await secretOfInvite(first);
  const password = "correct horse battery";
  const body = { company: "Ana Prado ME", document: "11222333000181", name: "Ana Prado", email, password };
  await signUp({ ...SignUpBody.parse(body), ip: "203.0.113.9", isInvited: await isProvedByLink(secret, email) });
  const user = await prisma().user.findUniqueOrThrow({ where: { email }, include: { memberships: true } });
  const account = await readContext(user.memberships[0]?.sandboxId ?? "");
  if (!account) throw new Error("a sign-up makes a sandbox");
  expect((await listReceived(account, all)).meta.total).toBe(0);
  expect(await codeOf(acceptSplit(account, { id: second }, call()))).toBe("split_not_found");
  expect(await codeOf(acceptSplit(account, { secret }, call()))).toBe("done");
  expect(await codeOf(acceptSplit(account, { id: second }, call()))).toBe("split_not_found");
  await confirmLink({ secret: (await linkMailedTo(email)) ?? "", password });
  expect(await codeOf(acceptSplit(account, { id: second }, call()))).toBe("done");
});

test("a plan is made with its invites or not at all, and only by a caller who may invite", async () => {
  const seller = await makeAccount();
  const input = (splits: object[]) => PlanInput.parse({ ...aPlan, splits });
  const splits = [
    { email: "a@example.com", percentage: 60 },
    { email: "b@example.com", percentage: "39.99" },
  ];
  const may = { scopes: ["splits:write"] as const };
  const make = (given: object[], caller: { scopes: readonly Scope[] } = may) => {
    const parsed = input(given);
    const share = invitesTo(seller.account, caller, parsed.splits);
    return createPlan(seller.account, { ...parsed, share }, call());
  };
  const made = await make(splits);
  expect(made.data.splits.map(({ email, percentage }) => ({ email, percentage }))).toEqual([
    { email: "a@example.com", percentage: 60 },
    { email: "b@example.com", percentage: 39.99 },
  ]);
  const plans = () => forAccount(seller.accountId, (tx) => tx.plan.count());
  expect(await codeOf(make([...splits, { email: "c@example.com", percentage: 0.01 }]))).toBe("split_exceeds_total");
  expect(() => make(splits, { scopes: ["plans:write"] })).toThrow(AppError);
  expect(await plans()).toBe(1);
});

test("only the end of an accepted split is mailed, to the account that accepted it", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const plan = await planOf(seller);
  const forwarded = await invite(seller, plan, { email: `${newId()}@example.com` }, 10);
  await acceptSplit(ana.account, { secret: await secretOfInvite(forwarded) }, call());
  const { data } = await listSplitsOf(seller.account, plan, all);
  expect(data[0]?.recipient.name).toBe(ana.account.name);
  await cancelSplit(seller.account, { id: forwarded });
  expect(await mailsOf(`split_cancelled:${forwarded}`)).toMatchObject([{ recipient: ana.email }]);
  const pending = await invite(seller, plan, { email: `${newId()}@example.com` }, 10);
  await cancelSplit(seller.account, { id: pending });
  expect(await mailsOf(`split_cancelled:${pending}`)).toEqual([]);
});

test("an address gets ten invitations a day from all live sellers together; further ones are not mailed", async () => {
  const email = `${newId()}@example.com`;
  const ids: string[] = [];
  for (const seller of [await makeAccount({ mode: "live" }), await makeAccount({ mode: "live" })]) {
    for (let n = 0; n < 6; n += 1) ids.push(await invite(seller, await planOf(seller), { email }, 1));
  }
  const mails = await mailsOf(...ids.map((id) => `split_invited:${id}`));
  expect(mails.map(({ intent }) => intent)).toEqual(ids.slice(0, 10).map((id) => `split_invited:${id}`));
});

test("the received list has the accepted and the pending invites, and others by their status", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const invited = async () => invite(seller, await planOf(seller), ana, 10);
  const [accepted, rejected, cancelled, pending] = [await invited(), await invited(), await invited(), await invited()];
  await acceptSplit(ana.account, { id: accepted }, call());
  await rejectSplit(ana.account, { id: rejected }, call());
  await cancelSplit(seller.account, { id: cancelled });
  const received = async (status?: string) =>
    (await listReceived(ana.account, SplitQuery.parse({ status }))).data.map(({ id }) => String(id));
  expect(await received()).toEqual([pending, accepted]);
  expect(await received("pending")).toEqual([pending]);
  expect(await received("accepted")).toEqual([accepted]);
  expect(await received("rejected")).toEqual([rejected]);
  expect(await received("cancelled")).toEqual([]);
  await cancelSplit(seller.account, { id: accepted });
  expect(await received("cancelled")).toEqual([accepted]);
});

test("an invite in both forms: as its two sides see it, and as the plan shows it", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  const plan = await planOf(seller);
  const id = await invite(seller, plan, ana, "33.3");
  const [sent, received] = [await listSplitsOf(seller.account, plan, all), await listReceived(ana.account, all)];
  expect(sent).toEqual(received);
  expect(sent.data[0]).toEqual({
    ...{ id: Number(id), percentage: "33.30", status: "pending", accepted_at: null },
    invited_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    recipient: { email: ana.email, name: "" },
    plan: {
      ...{ id: expect.any(Number), token: plan, name: "Mensal", amount: "49.90", periodicity_days: 30, product: null },
      seller: { name: seller.account.name, email: seller.email },
    },
  });
});

test("what is refused: the own e-mail, a second open split of one e-mail, 100 percent, one too many, an archived plan", async () => {
  const seller = await makeAccount();
  const plan = await planOf(seller);
  const to = (email: string, percentage: number) => codeOf(invite(seller, plan, { email }, percentage));
  expect(await to(seller.email.toUpperCase(), 10)).toBe("split_own_account");
  expect(await to("a@example.com", 60)).toBe("done");
  expect(await to("A@example.com ", 1)).toBe("split_already_open");
  expect(await to("b@example.com", 40)).toBe("split_exceeds_total");
  expect(await to("b@example.com", 39.99)).toBe("done");
  const many = await planOf(seller);
  for (let n = 0; n < 20; n += 1) await invite(seller, many, { email: `${n}@example.com` }, 0.01);
  expect(await codeOf(invite(seller, many, { email: "21@example.com" }, 0.01))).toBe("split_limit_reached");
  await archivePlan(seller.account, { id: plan }, call());
  expect(await to("c@example.com", 0.01)).toBe("invalid_transition");
});

test("of five invites at once to 60 percent of a plan one is made", async () => {
  const seller = await makeAccount();
  const plan = await planOf(seller);
  const to = (n: number) => codeOf(invite(seller, plan, { email: `${n}@example.com` }, 60));
  const race = await Promise.all([1, 2, 3, 4, 5].map(to));
  expect(race.toSorted()).toEqual(["done", ...Array(4).fill("split_exceeds_total")]);
});

test("an invite that is answered and cancelled at once ends in one of the two, and nobody gets both answers", async () => {
  const [seller, ana] = [await makeAccount(), await makeAccount()];
  for (let round = 0; round < 5; round += 1) {
    const plan = await planOf(seller);
    const id = await invite(seller, plan, ana, 10);
    const [accepted, rejected, cancelled] = await Promise.all([
      codeOf(acceptSplit(ana.account, { id }, call())),
      codeOf(rejectSplit(ana.account, { id }, call())),
      codeOf(cancelSplit(seller.account, { id })),
    ]);
    expect([accepted, rejected].filter((code) => code === "done").length).toBeLessThanOrEqual(1);
    const { data } = await listSplitsOf(seller.account, plan, all);
    const ended = cancelled === "done" ? "cancelled" : "rejected";
    expect(data[0]?.status).toBe(ended);
  }
});

/** What two sellers and their guests may do, in any order and some at once. */
const step = fc.record({
  act: fc.constantFrom("invite", "accept", "reject", "cancel", "sell"),
  side: fc.integer({ min: 0, max: 1 }),
  guest: fc.integer({ min: 0, max: 2 }),
  percentage: fc.integer({ min: 1, max: 9_999 }),
});

test("for any order of actions at once two sellers' splits stay below 100 percent, and sales are shared as agreed", async () => {
  const sellers = [await makeAccount(), await makeAccount()];
  const guests = [await makeAccount(), await makeAccount(), await makeAccount()];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (rounds) => {
      const sides: Side[] = [];
      for (const seller of sellers) sides.push({ seller, plan: await planOf(seller) });
      for (const atOnce of rounds) {
        await Promise.all(atOnce.map((one) => act(sides[one.side] as Side, guests[one.guest] as Made, one)));
        for (const side of sides) await assertShared(side);
      }
    }),
    { numRuns: 12 },
  );
});

type Side = { seller: Made; plan: string };

async function assertShared({ seller, plan }: Side) {
  const { data } = await listSplitsOf(seller.account, plan, all);
  const open = data.filter(({ status }) => status === "pending" || status === "accepted");
  const points = open.map(({ percentage }) => Number(percentage.replace(".", "")));
  expect(points.reduce((sum, one) => sum + one, 0)).toBeLessThan(10_000);
  const accepted = data.filter(({ status }) => status === "accepted").map(({ percentage }) => percentage);
  const sold = (await sharesOfSale(seller, plan)).map(({ basisPoints }) => (basisPoints / 100).toFixed(2));
  expect(sold.sort()).toEqual(accepted.sort());
}

async function act({ seller, plan }: Side, guest: Made, { act, percentage }: { act: string; percentage: number }) {
  if (act === "sell") return sharesOfSale(seller, plan);
  if (act === "invite") return codeOf(invite(seller, plan, guest, (percentage / 100).toFixed(2)));
  const { data } = await listSplitsOf(seller.account, plan, all);
  const id = String(data.find(({ recipient }) => recipient.email === guest.email)?.id ?? 1);
  if (act === "accept") return codeOf(acceptSplit(guest.account, { id }, call()));
  return codeOf(act === "reject" ? rejectSplit(guest.account, { id }, call()) : cancelSplit(seller.account, { id }));
}
