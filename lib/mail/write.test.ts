import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, forAccount, pool, transactionOverAll } from "@/lib/db";
import { onWake } from "@/lib/due/wake";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { purge } from "@/lib/jobs/retention";
import { ofAccountADay, ofAddressADay, ofBothADay } from "@/lib/mail/limits";
import { listMails, readMail } from "@/lib/mail/read";
import { MailsQuery } from "@/lib/mail/schema";
import { type Mail, writeMail, writeMails } from "@/lib/mail/write";
import { rewrapAll } from "@/lib/rewrap/rewrap";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";

const ofBoth = ofBothADay.charge_due ?? 0;

/** These tests count and purge all mails. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

test("the same intent makes one mail: again, at once, and in sets", async () => {
  const mail = aMail({ accountId: newId() });
  const write = () => forAccount(mail.accountId ?? "", (tx) => writeMail(tx, mail));
  await Promise.all([write(), write(), write()]);
  await write();
  await transactionOverAll((query) => writeMails(query, [mail, mail, aMail()]));
  expect(await mailsOf(mail.intent)).toHaveLength(1);
});

test("a mail without an account is written in any scope; one of another account is refused", async () => {
  const [mine, theirs] = [newId(), newId()];
  const mail = aMail();
  await forAccount([], (tx) => writeMail(tx, mail));
  expect(await mailsOf(mail.intent)).toMatchObject([{ accountId: null, status: "pending" }]);
  const attempt = forAccount(mine, (tx) => writeMail(tx, aMail({ accountId: theirs })));
  await expect(attempt).rejects.toThrow(/row-level security/);
});

test("who waits for mails is woken after the commit, and not by a change that is rolled back", async () => {
  let woken = 0;
  const stop = onWake("mails", () => (woken += 1));
  const change = forAccount([], async (tx) => {
    await writeMail(tx, aMail());
    expect(woken).toBe(0);
    throw new Error("rolled back");
  });
  await expect(change).rejects.toThrow("rolled back");
  expect(woken).toBe(0);
  await forAccount([], (tx) => writeMail(tx, aMail()));
  expect(woken).toBe(1);
  await transactionOverAll((query) => writeMails(query, [aMail()]));
  expect(woken).toBe(2);
  stop();
});

test("the database holds no word of a mail's content", async () => {
  const mail = aMail({ content: contents.reset_password });
  await forAccount([], (tx) => writeMail(tx, mail));
  const { rows } = await pool().query<{ text: string }>(
    "with scope as materialized (select set_config('app.accounts', '*', true)) select (select row_to_json(m)::text from mails m where intent = $1) as text from scope",
    [mail.intent],
  );
  const [row] = await mailsOf(mail.intent);
  const stored = `${rows[0]?.text} ${Buffer.from(row?.sealedContent ?? []).toString("latin1")}`;
  expect(stored).toContain(mail.to.email);
  expect(stored).not.toMatch(/s3cr3t|reset\?/);
});

const over = (accountId: string) => asSystem((tx) => tx.mail.findMany({ where: { accountId, error: "daily_limit" } }));

test("a mail above its account's limit of a day is not written, and one row of the day says how many were not", async () => {
  const [crowd, other] = [newId(), newId()];
  const many = Array.from({ length: ofAccountADay.sandbox + 3 }, () => aMail({ accountId: crowd, mode: "sandbox" }));
  await transactionOverAll((query) => writeMails(query, many));
  const late = aMail({ accountId: crowd, mode: "sandbox" });
  const fine = [aMail({ accountId: other, mode: "sandbox" }), aMail()];
  await transactionOverAll((query) => writeMails(query, [late, ...fine]));
  expect(await mailsOf(...many.slice(-3).map(({ intent }) => intent), late.intent)).toEqual([]);
  expect(await mailsOf(...fine.map(({ intent }) => intent))).toMatchObject([
    { status: "pending" },
    { status: "pending" },
  ]);
  expect(await asSystem((tx) => tx.mail.count({ where: { accountId: crowd, status: "pending" } }))).toBe(500);
  const noted = { status: "exhausted", attempts: 4, sealedContent: null, nextAttemptAt: null };
  expect(await over(crowd)).toMatchObject([noted]);
});

test("a live account's limit doubles with each week of its age, up to the most", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const writes = async (ageDays: number, count: number) => {
    const createdAt = new Date(Date.now() - ageDays * 86_400_000);
    await asSystem((tx) => tx.account.update({ where: { id: accountId }, data: { createdAt } }));
    await asSystem((tx) => tx.mail.deleteMany({ where: { accountId } }));
    await transactionOverAll((query) =>
      writeMails(
        query,
        Array.from({ length: count }, () => aMail({ accountId })),
      ),
    );
    return asSystem((tx) => tx.mail.count({ where: { accountId, status: "pending" } }));
  };
  expect(await writes(6, 1_050)).toBe(500);
  expect(await writes(8, 1_050)).toBe(1_000);
  expect(await writes(400, 1_050)).toBe(1_050);
});

test("sixty mails to one address from many live accounts are as many as its template's limit and a few of each account", async () => {
  const email = `Victim-${newId()}@example.com`;
  const to = (content: Mail["content"], accountId: string | null, address = email) =>
    aMail({ accountId, content, to: { email: address, locale: "en" } });
  const accounts = Array.from({ length: 3 }, newId);
  for (const accountId of accounts) {
    const some = Array.from({ length: 10 }, () => to(contents.charge_due, accountId));
    await transactionOverAll((query) => writeMails(query, some));
    const upper = Array.from({ length: 10 }, () => to(contents.charge_due, accountId, email.toUpperCase()));
    await transactionOverAll((query) => writeMails(query, upper));
  }
  const written = (template: string) =>
    asSystem((tx) => tx.mail.count({ where: { recipient: email.toLowerCase(), template, status: "pending" } }));
  expect(await written("charge_due")).toBe((ofAddressADay.charge_due ?? 0) + 2 * ofBoth);
  const refused = 20 - ofBoth;
  expect((await Promise.all(accounts.map(over))).flat().map(({ attempts }) => attempts)).toEqual([refused, refused]);
  await transactionOverAll((query) =>
    writeMails(query, [to(contents.reset_password, null), to(contents.charge_paid, newId())]),
  );
  expect([await written("reset_password"), await written("charge_paid")]).toEqual([1, 1]);
});

test("what a sandbox writes to an address, and what is above an account's limit, keeps no live mail to it back", async () => {
  const to = { email: `${newId()}@example.com`, locale: "en" as const };
  const many = (mode: Mail["mode"], count: number) => {
    const accountId = newId();
    return Array.from({ length: count }, () => aMail({ accountId, mode, to, content: contents.charge_due }));
  };
  const greedy = many("live", ofAccountADay.first + 50);
  for (const one of greedy.slice(0, ofAccountADay.first)) one.to = { ...to, email: `${newId()}@example.com` };
  const honest = many("live", ofBoth + 3);
  await transactionOverAll((query) => writeMails(query, [...many("sandbox", 40), ...greedy, ...honest]));
  expect(await mailsOf(...honest.map(({ intent }) => intent))).toHaveLength(honest.length);
});

test("receipts keep no other mail of their account back, nor do others keep receipts, and each has its own limit", async () => {
  const accountId = newId();
  const receipts = Array.from({ length: ofAccountADay.first + 2 }, (_, place) =>
    aMail({ accountId, content: place % 2 === 0 ? contents.link_paid : contents.charge_paid }),
  );
  await transactionOverAll((query) => writeMails(query, receipts));
  expect(await over(accountId)).toMatchObject([{ attempts: 2 }]);
  const asked = [contents.charge_due, contents.charge_overdue, contents.card_failed, contents.card_expiring];
  const others = asked.map((content) => aMail({ accountId, content }));
  const late = aMail({ accountId, content: contents.link_paid });
  await transactionOverAll((query) => writeMails(query, [late, ...others]));
  expect((await mailsOf(...others.map(({ intent }) => intent))).map(({ status }) => status)).toEqual(
    asked.map(() => "pending"),
  );
  expect(await mailsOf(late.intent)).toEqual([]);
  const crowd = newId();
  const due = Array.from({ length: ofAccountADay.first + 1 }, () =>
    aMail({ accountId: crowd, content: contents.charge_due }),
  );
  const receipt = aMail({ accountId: crowd, content: contents.charge_paid });
  await transactionOverAll((query) => writeMails(query, [...due, receipt]));
  expect(await over(crowd)).toMatchObject([{ attempts: 1 }]);
  expect(await mailsOf(receipt.intent)).toMatchObject([{ status: "pending" }]);
});

test("a crowd of subscriptions that end keeps neither charges nor receipts of its account back", async () => {
  const accountId = newId();
  const ends = [contents.subscription_ending, contents.subscription_cancelled, contents.subscription_suspended];
  const crowd = Array.from({ length: ofAccountADay.first + 3 }, (_, place) =>
    aMail({ accountId, content: ends[place % 3] ?? contents.cancelled_by_payer }),
  );
  await transactionOverAll((query) => writeMails(query, crowd));
  expect(await over(accountId)).toMatchObject([{ attempts: 3 }]);
  const others = [contents.charge_due, contents.charge_paid].map((content) => aMail({ accountId, content }));
  await transactionOverAll((query) => writeMails(query, others));
  expect(await mailsOf(...others.map(({ intent }) => intent))).toHaveLength(2);
});

test("an account above its limit is still warned of its webhooks, and of what is marked as an alarm", async () => {
  const accountId = newId();
  const charges = Array.from({ length: ofAccountADay.first + 1 }, () =>
    aMail({ accountId, content: contents.charge_due }),
  );
  await transactionOverAll((query) => writeMails(query, charges));
  expect(await over(accountId)).toHaveLength(1);
  const alarm = aMail({ accountId, content: contents.webhook_disabled });
  await transactionOverAll((query) => writeMails(query, [alarm]));
  expect(await mailsOf(alarm.intent)).toMatchObject([{ status: "pending" }]);
  const [usual, unusual] = [false, true].map((isAlarm) => aMail({ accountId, content: contents.charge_due, isAlarm }));
  if (!usual || !unusual) throw new Error("no mail");
  await transactionOverAll((query) => writeMails(query, [usual, unusual]));
  expect(await mailsOf(usual.intent, unusual.intent)).toMatchObject([{ intent: unusual.intent, status: "pending" }]);
});

test("a mail is kept for 30 days, and one that still waits until it is done", async () => {
  const [old, waiting, young] = [aMail(), aMail(), aMail()];
  await transactionOverAll((query) => writeMails(query, [old, waiting, young]));
  const days = (count: number) => new Date(Date.now() - count * 86_400_000);
  const set = (intent: string, data: object) => asSystem((tx) => tx.mail.update({ where: { intent }, data }));
  await set(old.intent, { createdAt: days(31), status: "sent", nextAttemptAt: null });
  await set(waiting.intent, { createdAt: days(31) });
  await set(young.intent, { createdAt: days(29), status: "sent", nextAttemptAt: null });
  await purge();
  expect(await mailsOf(old.intent, waiting.intent, young.intent)).toMatchObject([
    { intent: waiting.intent },
    { intent: young.intent },
  ]);
});

test("rewrap encrypts mails under the first key, those without an account too", async () => {
  const { tables } = await rewrapAll();
  expect(tables).toContainEqual({ table: "mails", done: 0, failed: 0 });
});

test("staff find mails by status and by whole address, page by page", async () => {
  const mails = Array.from({ length: 7 }, () => aMail({ to: { email: "Many@Example.com", locale: "en" } }));
  await transactionOverAll((query) => writeMails(query, mails));
  const query = (given: object) => listMails(MailsQuery.parse({ search: "Many@Example.com", per_page: 3, ...given }));
  const first = await query({});
  expect(first.meta).toMatchObject({ total: 7, counts: { pending: 7, sent: 0, all: 7 }, route: "inbox" });
  const second = await query({ cursor: first.meta.next_cursor });
  const third = await query({ cursor: second.meta.next_cursor });
  const ids = [first, second, third].flatMap(({ data }) => data.map(({ id }) => id));
  expect(new Set(ids).size).toBe(7);
  expect(ids).toEqual([...ids].sort().reverse());
  expect(third.meta.next_cursor).toBeNull();
  expect((await query({ status: "sent" })).data).toEqual([]);
  expect((await query({ search: "any@example.com" })).data).toEqual([]);
});

test("a mail that only the inbox has is counted, found and shown as kept, never as sent", async () => {
  const email = `${newId()}@example.com`;
  const mails = Array.from({ length: 3 }, () => aMail({ to: { email, locale: "en" } }));
  await transactionOverAll((query) => writeMails(query, mails));
  for (const [place, sentBy] of ["inbox", "smtp", "inbox"].entries()) {
    const data = { status: "sent", sentBy, sentAt: new Date(), nextAttemptAt: null } as const;
    await asSystem((tx) => tx.mail.update({ where: { intent: mails[place]?.intent ?? "" }, data }));
  }
  const query = (given: object) => listMails(MailsQuery.parse({ search: email, ...given }));
  expect((await query({})).meta.counts).toEqual({ pending: 0, failed: 0, exhausted: 0, sent: 1, kept: 2, all: 3 });
  const [sent, kept] = [await query({ status: "sent" }), await query({ status: "kept" })];
  expect(sent).toMatchObject({ data: [{ status: "sent", sent_by: "smtp" }], meta: { total: 1 } });
  expect(kept.data.map(({ status, sent_by }) => [status, sent_by])).toEqual(Array(2).fill(["kept", "inbox"]));
  expect(kept.meta.total).toBe(2);
});

test("what a mail says is shown to the staff only where no server is set", async () => {
  const mail = aMail({ content: contents.confirm_address });
  await transactionOverAll((query) => writeMails(query, [mail]));
  const [{ id } = { id: "" }] = await mailsOf(mail.intent);
  expect((await readMail(id, { userId: "x" })).content).toMatchObject({ subject: "Confirme o seu e-mail" });
  Object.assign(env, { MAIL_URL: "smtp://127.0.0.1:9" });
  expect(await readMail(id, { userId: "x" })).toMatchObject({ content: null, status: "pending" });
  Object.assign(env, { MAIL_URL: undefined });
});
