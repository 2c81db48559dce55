import { afterAll, beforeAll, expect, test } from "vitest";
import { actAs } from "@/lib/actor";
import { forAccount, prisma, transactionOverAll } from "@/lib/db";
import { env } from "@/lib/env";
import type { Happened } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { ofAccountADay } from "@/lib/mail/limits";
import { lettersTo } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { openRail } from "@/lib/testing/rail";
import { askedWithdrawal, awaitingWithdrawal, setLimits } from "@/lib/testing/withdrawals";
import { cancelWithdrawal } from "@/lib/withdrawals/decide";
import { lapseWithdrawals } from "@/lib/withdrawals/lapse";
import { mailWithdrawals } from "@/lib/withdrawals/mail-withdrawals";

openRail();
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

/** All events of an account come, twice at once. */
async function consume({ accountId }: Made) {
  const events = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId }, orderBy: { id: "asc" } }),
  );
  const all = () => transactionOverAll((query) => mailWithdrawals(query, events as Happened[]));
  await Promise.all([all(), all()]);
}

test("the owners read of each withdrawal that is asked for, once: by whom, how much and where to", async () => {
  const seller = await makeAccount();
  const { accountId, clientId, email } = seller;
  const asker = { kind: "credential", id: clientId } as const;
  const id = await actAs(asker, () => askedWithdrawal(seller, { amount: 40 }));
  await cancelWithdrawal(seller.account, { id }, call());
  await consume(seller);
  await consume(seller);
  const about = { seller: seller.account.name, amount: 4_000, owner: "Pessoa de Teste", at: expect.any(String) };
  expect(await lettersTo(email)).toEqual([
    {
      ...{
        locale: "pt-BR",
        template: "withdrawal_asked",
        ...about,
        fee: 0,
        waits: false,
        by: "credential",
        who: "Teste",
      },
      url: `${env.APP_URL}/${accountId}/withdrawals/${id}`,
    },
  ]);
});

test("one that waits, is lowered or is large is an alarm, which no limit of the day keeps back; any other is not", async () => {
  const seller = await makeAccount();
  const { accountId, email } = seller;
  const spent = {
    accountId,
    template: "withdrawal_asked",
    locale: "pt-BR",
    recipient: newId(),
    status: "sent",
  } as const;
  const crowd = Array.from({ length: ofAccountADay.sandbox }, () => ({ ...spent, id: newId(), intent: newId() }));
  await forAccount(accountId, (tx) => tx.mail.createMany({ data: crowd }));
  await setLimits(seller, { newKeyLimit: 10_000 });
  const id = await askedWithdrawal(seller, { amount: 40 });
  const [event] = await forAccount(accountId, (tx) => tx.event.findMany({ where: { accountId, subjectId: id } }));
  const mail = async (change: object) => {
    const record = { ...(event?.record as object), is_lowered: false, id: newId(), ...change };
    await transactionOverAll((query) => mailWithdrawals(query, [{ ...event, record } as Happened]));
    return (await lettersTo(email)).length;
  };
  expect(await mail({})).toBe(0);
  expect(await mail({ is_lowered: true })).toBe(1);
  expect(await mail({ status: "awaiting_approval" })).toBe(2);
  expect(await mail({ amount: 10_001 })).toBe(3);
});

test("an owner who chose to be mailed of nothing still reads of one that is unusual, and of no other", async () => {
  const seller = await makeAccount();
  const { accountId, email } = seller;
  const data = { hasChosenTopics: true, topics: [] };
  await prisma().membership.updateMany({ where: { OR: [{ accountId }, { sandboxId: accountId }] }, data });
  await setLimits(seller, { newKeyLimit: 10_000 });
  const id = await askedWithdrawal(seller, { amount: 40 });
  const [event] = await forAccount(accountId, (tx) => tx.event.findMany({ where: { accountId, subjectId: id } }));
  const mail = async (isLowered: boolean) => {
    const record = { ...(event?.record as object), is_lowered: isLowered, id: newId() };
    await transactionOverAll((query) => mailWithdrawals(query, [{ ...event, record } as Happened]));
    return (await lettersTo(email)).length;
  };
  expect(await mail(false)).toBe(0);
  expect(await mail(true)).toBe(1);
});

test("the owners read that one waits for a second person, and that nobody approved it in time", async () => {
  const seller = await makeAccount();
  const { accountId, email } = seller;
  const person = await prisma().user.findUniqueOrThrow({ where: { email } });
  const id = await actAs({ kind: "person", id: person.id, session: newId() }, () => awaitingWithdrawal(seller));
  const where = { accountId_id: { accountId, id } };
  await forAccount(accountId, (tx) =>
    tx.withdrawal.update({ where, data: { lapsesAt: new Date(Date.now() - 1_000) } }),
  );
  await lapseWithdrawals(accountId);
  await consume(seller);
  expect(await lettersTo(email)).toMatchObject([
    { template: "withdrawal_asked", waits: true, by: "person", who: "Teste" },
    { template: "withdrawal_ended", outcome: "lapsed", reason: null },
  ]);
});
