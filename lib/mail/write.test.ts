import { afterAll, beforeAll, expect, test } from "vitest";
import { asSystem, forAccount, inSets, pool } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { purge } from "@/lib/jobs/retention";
import { limits } from "@/lib/limits";
import { listMails, readMail } from "@/lib/mail/read";
import { MailsQuery } from "@/lib/mail/schema";
import { writeMail, writeMails } from "@/lib/mail/write";
import { rewrapAll } from "@/lib/rewrap";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { onWake } from "@/lib/wake";

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
  await inSets((query) => writeMails(query, [mail, mail, aMail()]));
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
  await inSets((query) => writeMails(query, [aMail()]));
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

test("a mail above its account's limit of a day is kept for the staff and not sent; others are", async () => {
  const [crowd, other] = [newId(), newId()];
  const many = Array.from({ length: limits.mailsADay.sandbox + 3 }, () => aMail({ accountId: crowd, mode: "sandbox" }));
  await inSets((query) => writeMails(query, many));
  const late = aMail({ accountId: crowd, mode: "sandbox" });
  const fine = [aMail({ accountId: other, mode: "sandbox" }), aMail()];
  await inSets((query) => writeMails(query, [late, ...fine]));
  const held = { status: "exhausted", error: "daily_limit", nextAttemptAt: null, sealedContent: expect.anything() };
  expect(await mailsOf(...many.slice(-3).map(({ intent }) => intent), late.intent)).toMatchObject([
    held,
    held,
    held,
    held,
  ]);
  expect(await mailsOf(...fine.map(({ intent }) => intent))).toMatchObject([
    { status: "pending" },
    { status: "pending" },
  ]);
  expect(await asSystem((tx) => tx.mail.count({ where: { accountId: crowd, status: "pending" } }))).toBe(500);
});

test("a mail is kept for 30 days, and one that still waits until it is done", async () => {
  const [old, waiting, young] = [aMail(), aMail(), aMail()];
  await inSets((query) => writeMails(query, [old, waiting, young]));
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
  expect(tables.at(-1)).toEqual({ table: "mails", done: 0, failed: 0 });
});

test("staff find mails by status and by whole address, page by page", async () => {
  const mails = Array.from({ length: 7 }, () => aMail({ to: { email: "Many@Example.com", locale: "en" } }));
  await inSets((query) => writeMails(query, mails));
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

test("what a mail says is shown to the staff only where no server is set", async () => {
  const mail = aMail({ content: contents.confirm_address });
  await inSets((query) => writeMails(query, [mail]));
  const [{ id } = { id: "" }] = await mailsOf(mail.intent);
  expect((await readMail(id, { userId: "x" })).content).toMatchObject({ subject: "Confirme o seu e-mail" });
  Object.assign(env, { MAIL_URL: "smtp://127.0.0.1:9" });
  expect(await readMail(id, { userId: "x" })).toMatchObject({ content: null, status: "pending" });
  Object.assign(env, { MAIL_URL: undefined });
});
