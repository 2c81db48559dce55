import { describe, expect, test } from "vitest";
import { readContext } from "@/lib/accounts/read";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, queryOf, type Tx } from "@/lib/db";
import { newId } from "@/lib/ids";
import { lockForDebit, readBalances } from "@/lib/ledger/balance";
import { platforms } from "@/lib/ledger/chart";
import { move } from "@/lib/move";
import { endMembership, giveRole } from "@/lib/team/membership";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aMember, makeTeam } from "@/lib/testing/team";
import { tracesOf } from "@/lib/testing/traces";
import { askedWithdrawal, cashOut, setLimits } from "@/lib/testing/withdrawals";
import { DAY_MS } from "@/lib/time/calendar";
import { removeSecondFactor } from "@/lib/users/second-factor";
import { type Asker, isAlone, readDeciders } from "@/lib/withdrawals/asker";
import { approveWithdrawal, cancelWithdrawal, rejectWithdrawal } from "@/lib/withdrawals/decide";
import { lapseWithdrawals } from "@/lib/withdrawals/lapse";
import { nightSince } from "@/lib/withdrawals/limits";
import { isPersonNew } from "@/lib/withdrawals/newness";
import { withdrawalNoun } from "@/lib/withdrawals/noun";
import { paymentOf } from "@/lib/withdrawals/postings";
import { findWithdrawal } from "@/lib/withdrawals/read";
import { requestWithdrawal } from "@/lib/withdrawals/request";
import { PlaceOfStop, StopBody } from "@/lib/withdrawals/schema";
import { findStop, liftStop, listStops, stopPayouts } from "@/lib/withdrawals/stops";
import { readWithdrawalTerms } from "@/lib/withdrawals/terms";

openRail();

/** Whose password does not matter. */
const somebody = { userId: newId(), liveId: newId() };

type Whose = Pick<Made, "account" | "accountId">;
const program = ({ clientId }: Pick<Made, "clientId">): Asker => ({ kind: "token", clientId });

/** Asks by an account as it is now. */
const ask = async ({ accountId }: Whose, by: Asker, overrides: object = {}) => {
  const account = await readContext(accountId);
  if (!account) throw new Error("no account");
  return requestWithdrawal(account, { ...cashOut(overrides), by }, call());
};

const find = ({ accountId }: Whose, id: string) =>
  forAccount(accountId, async (tx) => (await findWithdrawal(queryOf(tx), accountId, id)).withdrawal);
const statusOf = async (whose: Whose, id: string) => (await find(whose, id)).status;
const heldOf = async ({ accountId }: Whose) => (await readBalances(accountId)).held;
const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.map((one) => (one.status === "fulfilled" ? "done" : one.reason.code)).sort();

/** The calls that will send an account's withdrawals. */
const callsOf = ({ accountId }: Whose) =>
  forAccount(accountId, (tx) => tx.call.count({ where: { accountId, kind: "withdrawal" } }));

/** Lets the rail have paid a withdrawal, and a day pass on the account's clock. */
async function paidYesterday(seller: Whose, id: string) {
  const { accountId } = seller;
  const posts = [paymentOf(await find(seller, id))];
  await forAccount([accountId, platforms.sandbox], async (tx) => {
    await move(tx, withdrawalNoun, "send", [{ accountId, id }]);
    await move(tx, withdrawalNoun, "pay", [{ accountId, id, posts }]);
    await tx.call.updateMany({ where: { accountId, id }, data: { doneAt: new Date() } });
    await tx.account.update({ where: { id: accountId }, data: { clockOffsetMs: { increment: DAY_MS } } });
  });
}

const lower = { newKeyLimit: 5_000 };

describe("what may go out", () => {
  test.each([
    ["2026-05-04T22:59:59Z", undefined],
    ["2026-05-04T23:00:00Z", "2026-05-04T23:00:00.000Z"],
    ["2026-05-05T03:00:00Z", "2026-05-04T23:00:00.000Z"],
    ["2026-05-05T08:59:59Z", "2026-05-04T23:00:00.000Z"],
    ["2026-05-05T09:00:00Z", undefined],
  ])("it is night in São Paulo at %s since %s", (at, since) => {
    expect(nightSince(new Date(at), "America/Sao_Paulo")?.toISOString()).toBe(since);
  });

  test.each([
    ["each", { withdrawalLimit: 9_999 }],
    ["day", { withdrawalDayLimit: 19_999 }],
    ["new_key", { newKeyLimit: 19_999 }],
  ] as const)("is limited by %s, to the cent, before the balance is looked at", async (limit, limits) => {
    const seller = await makeAccount({ available: limit === "each" ? 0 : 10_000 });
    if (limit !== "each") await ask(seller, program(seller), { amount: 100 });
    await setLimits(seller, limits);
    const before = await tracesOf(seller.accountId);
    await expect(ask(seller, program(seller), { amount: 100 })).rejects.toMatchObject({
      ...{ code: "withdrawal_limit_exceeded", options: { details: { limit } } },
    });
    expect(await tracesOf(seller.accountId), "nothing is left behind").toEqual(before);
  });

  test("counts what was asked for since the local midnight, and at night since nightfall, but nothing that was released", async () => {
    const seller = await makeAccount({ available: 100_000 });
    const at = (instant: string) => setLimits(seller, { clockOffsetMs: new Date(instant).getTime() - Date.now() });
    const left = async () => {
      const account = await readContext(seller.accountId);
      const { day_left, night_left, is_night } = await readWithdrawalTerms(account ?? seller.account, somebody);
      return { day_left, night_left, is_night };
    };
    await setLimits(seller, { withdrawalDayLimit: 50_000, withdrawalNightLimit: 30_000 });
    await at("2031-05-04T23:30:00Z");
    await ask(seller, program(seller), { amount: 200 });
    const { reference_id } = await ask(seller, program(seller), { amount: 50 });
    await cancelWithdrawal(seller.account, { id: reference_id }, call());
    expect(await left()).toEqual({ day_left: 300, night_left: 100, is_night: true });
    await at("2031-05-05T03:30:00Z");
    expect(await left(), "the day began anew, the night did not").toEqual({
      day_left: 500,
      night_left: 100,
      is_night: true,
    });
    await expect(ask(seller, program(seller), { amount: 101 })).rejects.toMatchObject({
      options: { details: { limit: "night" } },
    });
    await at("2031-05-05T12:00:00Z");
    expect(await left()).toEqual({ day_left: 500, night_left: 300, is_night: false });
  });

  test("of two at once for what is left of a day one wins", async () => {
    const seller = await makeAccount({ available: 100_000 });
    await setLimits(seller, { withdrawalDayLimit: 15_000 });
    const both = await Promise.allSettled([1, 2].map(() => ask(seller, program(seller), { amount: 100 })));
    expect(codes(both)).toEqual(["done", "withdrawal_limit_exceeded"]);
    expect(await heldOf(seller)).toBe(10_000);
  });

  test("is lower to a key to which no money arrived a day ago, and with a credential that is new", async () => {
    const seller = await makeAccount({ available: 100_000 });
    const { clientId } = seller;
    const old = { changedAt: new Date(Date.now() - 2 * DAY_MS) };
    await prisma().credential.update({ where: { clientId }, data: old });
    const { reference_id } = await ask(seller, program(seller));
    expect((await find(seller, reference_id)).isLowered).toBe(true);
    await setLimits(seller, lower);
    await paidYesterday(seller, reference_id);
    await expect(ask(seller, program(seller), { amount: 60, pix_key: newId() })).rejects.toMatchObject({
      options: { details: { limit: "new_key" } },
    });
    const known = await ask(seller, program(seller), { amount: 60 });
    expect((await find(seller, known.reference_id)).isLowered).toBe(false);
    await prisma().credential.update({ where: { clientId }, data: { changedAt: new Date() } });
    await expect(ask(seller, program(seller), { amount: 60 })).rejects.toMatchObject({
      code: "withdrawal_limit_exceeded",
    });
  });

  test("is lower while a person's password or place in the team is new", async () => {
    const { seller, person } = await aTeam();
    const known = { createdAt: new Date(Date.now() - 2 * DAY_MS) };
    await prisma().membership.updateMany({ where: { userId: person.userId }, data: known });
    const { reference_id } = await ask(seller, person);
    await paidYesterday(seller, reference_id);
    await setLimits(seller, lower);
    const lowered = async () => find(seller, (await ask(seller, person)).reference_id).then((one) => one.isLowered);
    expect(await lowered()).toBe(false);
    await prisma().user.update({ where: { id: person.userId }, data: { passwordChangedAt: new Date() } });
    expect(await lowered()).toBe(true);
  });

  test("is lower once a second factor was turned on or removed, also where there is none any more", async () => {
    const { seller, person } = await aTeam();
    const isLowered = () => forAccount(person.liveId, (tx) => isPersonNew(queryOf(tx), person));
    const setFactor = (data: object) => prisma().user.update({ where: { id: person.userId }, data });
    const long = new Date(Date.now() - 2 * DAY_MS);
    await prisma().membership.updateMany({ where: { userId: person.userId }, data: { createdAt: long } });
    await setFactor({ totpSince: long, sealedTotp: new Uint8Array([1]), secondFactorChangedAt: long });
    expect(await isLowered()).toBe(false);
    await removeSecondFactor(person);
    expect(await isLowered()).toBe(true);
    const account = (await readContext(seller.accountId)) ?? seller.account;
    expect(await readWithdrawalTerms(account, person)).toMatchObject({ is_new: true });
  });
});

/** The sandbox of a team of two who may withdraw. */
async function aTeam() {
  const team = await makeTeam();
  const second = await aMember(team, "finance");
  const { accountId: liveId, sandboxId: accountId } = team;
  const account = await readContext(accountId);
  if (!account) throw new Error("no account");
  await prisma().membership.updateMany({
    where: { accountId: liveId },
    data: { createdAt: new Date(Date.now() - DAY_MS) },
  });
  const { accountId: _, ...other } = await makeAccount();
  const seller = { ...other, account, accountId };
  await askedWithdrawal(seller, { amount: 1_000 }).then((id) => cancelWithdrawal(account, { id }, call())); // its money stays
  const person = { kind: "session", userId: team.ownerId, liveId } as const;
  return { team, seller, person, other: { ...person, userId: second } };
}

/** A credential that may withdraw, made by a person, or by nobody who is known. Returns its client id. */
async function aCredential({ accountId }: Whose, madeBy: string | null): Promise<string> {
  const clientId = newId();
  const secret = { secretHash: new Uint8Array(32), secretLast4: "", apiKeyLast4: "" };
  const data = { clientId, accountId, name: "ERP", madeBy, scopes: ["withdrawals:write"], ...secret };
  await prisma().credential.create({ data: { ...data, apiKeyHash: Buffer.from(clientId) } });
  return clientId;
}

/** Whether somebody waits for what a transaction has locked. */
async function isBlocking(tx: Tx): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ is: boolean }[]>`
    select exists (select from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))) as is`;
  return row?.is ?? false;
}

describe("a withdrawal above the amount for a second person", () => {
  const above = { approvalAbove: 5_000 };

  test("waits with its money held, is no one's own to approve, and is sent once another approved it", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const small = await ask(seller, person, { amount: 50 });
    const { message, reference_id: id } = await ask(seller, person, { amount: 60 });
    expect(message).toContain("Outra pessoa");
    expect([await statusOf(seller, small.reference_id), await statusOf(seller, id)]).toEqual([
      ...["requested", "awaiting_approval"],
    ]);
    expect(await heldOf(seller)).toBe(11_000);
    const calls = await callsOf(seller);
    for (const decide of [approveWithdrawal, rejectWithdrawal])
      await expect(decide(seller.account, { id, by: person }, call())).rejects.toMatchObject({ code: "own_request" });
    await approveWithdrawal(seller.account, { id, by: other }, call());
    expect(await find(seller, id)).toMatchObject({
      status: "requested",
      askedBy: person.userId,
      approvedBy: other.userId,
    });
    expect(await callsOf(seller)).toBe(calls + 1);
    await expect(approveWithdrawal(seller.account, { id, by: other }, call())).rejects.toMatchObject({
      code: "invalid_transition",
    });
  });

  test("is not approved by who joined after it was asked for, or may not withdraw", async () => {
    const { team, seller, person } = await aTeam();
    await setLimits(seller, above);
    const { reference_id: id } = await ask(seller, person, { amount: 60 });
    for (const role of ["finance", "developer"] as const) {
      const by = { ...person, userId: await aMember(team, role) };
      await expect(approveWithdrawal(seller.account, { id, by }, call())).rejects.toMatchObject({
        code: "insufficient_scope",
      });
    }
    expect(await statusOf(seller, id)).toBe("awaiting_approval");
  });

  test("of a program always waits, and is approved neither by it nor, if others may, by who made its credential", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const clientId = await aCredential(seller, person.userId);
    const { reference_id: id } = await ask(seller, { kind: "token", clientId }, { amount: 60 });
    for (const by of [{ kind: "token", clientId } as const, person])
      await expect(approveWithdrawal(seller.account, { id, by }, call())).rejects.toMatchObject({
        code: "own_request",
      });
    await approveWithdrawal(seller.account, { id, by: other }, call());
    expect(await statusOf(seller, id)).toBe("requested");
    const again = await ask(seller, { kind: "token", clientId }, { amount: 60 });
    await prisma().membership.deleteMany({ where: { userId: other.userId } });
    await approveWithdrawal(seller.account, { id: again.reference_id, by: person }, call());
    const alone = await ask(seller, person, { amount: 60 });
    expect(await statusOf(seller, alone.reference_id), "there is nobody to wait for").toBe("requested");
  });

  test("is approved by a program as who made it: one who may, was there before, and has not changed it since", async () => {
    const { team, seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const viewer = await aMember(team, "viewer");
    const mine = await aCredential(seller, person.userId);
    const theirs = await aCredential(seller, other.userId);
    const of: [string, object][] = [
      [await aCredential(seller, viewer), { code: "insufficient_scope" }],
      [await aCredential(seller, null), { code: "insufficient_scope" }],
      [mine, { code: "own_request" }],
    ];
    const { reference_id: id } = await ask(seller, person, { amount: 60 });
    of.push([await aCredential(seller, await aMember(team, "finance")), { code: "insufficient_scope" }]);
    of.push([await aCredential(seller, other.userId), { code: "insufficient_scope" }]);
    for (const [clientId, refusal] of of)
      await expect(
        approveWithdrawal(seller.account, { id, by: { kind: "token", clientId } }, call()),
      ).rejects.toMatchObject(refusal);
    await approveWithdrawal(seller.account, { id, by: { kind: "token", clientId: theirs } }, call());
    expect(await statusOf(seller, id)).toBe("requested");
  });

  test("is not approved for an account that was suspended meanwhile; it is refused and cancelled all the same", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const { reference_id: id } = await ask(seller, person, { amount: 60 });
    const suspended = { ...seller.account, status: "suspended" as const };
    await expect(approveWithdrawal(suspended, { id, by: other }, call())).rejects.toMatchObject({
      code: "account_suspended",
    });
    await rejectWithdrawal(suspended, { id, by: other }, call());
    expect(await statusOf(seller, id)).toBe("cancelled");
  });

  test("is approved within the limits of that moment, and counts from then on", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const { reference_id: id } = await ask(seller, person, { amount: 60 });
    const now = async () => (await readContext(seller.accountId)) ?? seller.account;
    const approve = async () => approveWithdrawal(await now(), { id, by: other }, call());
    for (const [limit, limits] of [
      ["each", { withdrawalLimit: 5_999 }],
      ["day", { withdrawalLimit: 6_000, withdrawalDayLimit: 5_999 }],
    ] as const) {
      await setLimits(seller, limits);
      await expect(approve()).rejects.toMatchObject({
        ...{ code: "withdrawal_limit_exceeded", options: { details: { limit } } },
      });
    }
    await setLimits(seller, { withdrawalDayLimit: 10_000, clockOffsetMs: DAY_MS });
    await approve();
    await expect(ask(seller, person, { amount: 40.01 })).rejects.toMatchObject({
      options: { details: { limit: "day" } },
    });
    await ask(seller, person, { amount: 40 });
  });

  test.each(["removed", "demoted"])(
    "waits also for who is alone because the other one was %s less than a day ago",
    async (how) => {
      const team = await makeTeam();
      const other = await aMember(team, "finance");
      const { accountId, ownerId: userId } = team;
      const mustWait = () =>
        forAccount(accountId, async (tx) => !(await isAlone(tx, accountId, await readDeciders(tx, accountId), userId)));
      expect(await mustWait()).toBe(true);
      const where = { userId_accountId: { userId: other, accountId } };
      await forAccount(accountId, async (tx) => {
        const member = await tx.membership.findUniqueOrThrow({ where });
        await (how === "removed" ? endMembership(tx, member) : giveRole(tx, member, "viewer"));
      });
      expect(await mustWait()).toBe(true);
    },
  );

  test("locks the team before the money, as an approval of a refund does", async () => {
    const { seller, person } = await aTeam();
    const { accountId } = seller;
    await setLimits(seller, above);
    let asked: Promise<unknown> | undefined;
    await forAccount(accountId, async (tx) => {
      await tx.$executeRaw`select from memberships where sandbox_id = ${accountId}::uuid for update`;
      asked = ask(seller, person, { amount: 60 });
      while (!(await isBlocking(tx))) await new Promise((resolve) => setTimeout(resolve, 20));
      await lockForDebit(tx, accountId);
    });
    await expect(asked).resolves.toMatchObject({ reference_id: expect.any(String) });
  });

  test("lapses when nobody approved it in time: its money is back, and nobody approves it any more", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    const { reference_id: id } = await ask(seller, person, { amount: 60 });
    await lapseWithdrawals(seller.accountId);
    expect(await statusOf(seller, id), "not before").toBe("awaiting_approval");
    const { accountId } = seller;
    await forAccount(accountId, (tx) =>
      tx.withdrawal.update({
        where: { accountId_id: { accountId, id } },
        data: { lapsesAt: new Date(Date.now() - 1_000) },
      }),
    );
    await expect(approveWithdrawal(seller.account, { id, by: other }, call())).rejects.toMatchObject({
      code: "invalid_transition",
    });
    expect(await callsOf(seller), "no call without its approval").toBe(1);
    await Promise.all([lapseWithdrawals(accountId), lapseWithdrawals(accountId)]);
    expect([await statusOf(seller, id), await heldOf(seller)]).toEqual(["lapsed", 0]);
  });

  test("that is approved, refused, cancelled and lapses at once ends in one way, with its money where that says", async () => {
    const { seller, person, other } = await aTeam();
    await setLimits(seller, above);
    for (let nth = 0; nth < 5; nth += 1) {
      const before = await heldOf(seller);
      const { reference_id: id } = await ask(seller, person, { amount: 60 });
      const acts = [
        () => approveWithdrawal(seller.account, { id, by: other }, call()),
        () => rejectWithdrawal(seller.account, { id, by: other }, call()),
        () => cancelWithdrawal(seller.account, { id }, call()),
        () => cancelWithdrawal(seller.account, { id }, call()),
      ];
      const outcomes = await Promise.allSettled(
        [...acts.slice(nth % 4), ...acts.slice(0, nth % 4)].map((act) => act()),
      );
      const status = await statusOf(seller, id);
      expect(["requested", "cancelled"]).toContain(status);
      expect(codes(outcomes).filter((code) => code === "done").length).toBeGreaterThanOrEqual(1);
      expect(await heldOf(seller)).toBe(before + (status === "requested" ? 6_000 : 0));
    }
  });
});

test("a stop names its place and why, is made once, stands in the history and lets through what waited when it is lifted", async () => {
  const seller = await makeAccount();
  const { accountId } = seller;
  const person = await aMember(await makeTeam(), "viewer");
  const stopOf = () => forAccount(accountId, (tx) => findStop(queryOf(tx), { accountId, provider: "simulator" }));
  const place = { scope: "account", target: accountId } as const;
  const byStaff = <T>(act: () => Promise<T>) => actAs({ kind: "staff", id: person }, act);
  expect(await stopOf()).toBeUndefined();
  await byStaff(() => Promise.all([1, 2].map(() => stopPayouts({ ...place, reason: "Fraude em análise" }))));
  expect(await stopOf()).toMatchObject({ ...place, reason: "Fraude em análise" });
  const { data } = await listStops();
  expect(data.find(({ target }) => target === accountId)).toMatchObject({
    ...{ ...place, account_name: seller.account.name, stopped_by: "Pessoa viewer" },
  });
  const id = await askedWithdrawal(seller);
  const due = { dueAt: new Date(Date.now() + DAY_MS), attempts: 3 };
  await forAccount(accountId, (tx) => tx.call.updateMany({ where: { accountId, id }, data: due }));
  await byStaff(() => liftStop(place));
  await byStaff(() => liftStop(place));
  expect(await stopOf()).toBeUndefined();
  const [sent] = await forAccount(accountId, (tx) => tx.call.findMany({ where: { accountId, id } }));
  expect(sent?.dueAt.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  const events = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId, subject: "payout_stop" } }),
  );
  expect(events.map(({ type }) => type).sort()).toEqual(["payout_stop.created", "payout_stop.removed"]);
  await expect(stopPayouts({ scope: "account", target: newId(), reason: "x" })).rejects.toMatchObject({
    code: "account_not_found",
  });
  await cancelWithdrawal(seller.account, { id }, call());
});

test("a stop is of an account however its id is written, and of no rail that there is not", async () => {
  const { accountId } = await makeAccount();
  const place = StopBody.parse({ scope: "account", target: accountId.toUpperCase(), reason: "Fraude" });
  await stopPayouts(place);
  const stopOf = () => forAccount(accountId, (tx) => findStop(queryOf(tx), { accountId, provider: "simulator" }));
  expect(await stopOf()).toMatchObject({ scope: "account", target: accountId });
  await liftStop(PlaceOfStop.parse({ scope: "account", target: accountId.toUpperCase() }));
  expect(await stopOf()).toBeUndefined();
  await expect(stopPayouts({ scope: "rail", target: "simulater", reason: "x" })).rejects.toMatchObject({
    ...{ code: "validation_failed", options: { faults: { target: expect.anything() } } },
  });
});
