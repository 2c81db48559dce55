import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount, transactionOverAll } from "@/lib/db";
import { newId } from "@/lib/ids";
import { claimMails, leases } from "@/lib/mail/claim";
import { deliverMail } from "@/lib/mail/deliver";
import { readMail } from "@/lib/mail/read";
import { retryMail } from "@/lib/mail/retry";
import { startMails } from "@/lib/mail/run";
import { type Mail, writeMail, writeMails } from "@/lib/mail/write";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveSmtp } from "@/lib/testing/smtp";

/** Attempts are made at all that is due in the database. */
let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveSmtp>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveSmtp();
});
beforeEach(async () => {
  await asSystem((tx) => tx.mail.deleteMany()); // what waits for another attempt
  server.received.length = 0;
  server.given.length = 0;
  Object.assign(server.at, { recipient: undefined, data: undefined, heldMs: 0, holds: undefined });
});
afterAll(async () => {
  await server.close();
  await drop();
});

const write = (...mails: Mail[]) =>
  forAccount([], async (tx) => {
    for (const mail of mails) await writeMail(tx, mail);
  });

function start(workers = 1) {
  const failures: unknown[] = [];
  const stops = Array.from({ length: workers }, () => startMails((error) => failures.push(error)));
  const stop = async () => {
    await Promise.all(stops.splice(0).map((one) => one()));
  };
  onTestFinished(stop);
  return { stop, failures };
}

/** Makes due whatever waits for another attempt. */
const dueNow = () =>
  asSystem((tx) => tx.$executeRaw`update mails set next_attempt_at = now() where next_attempt_at > now()`);

const waitFor = (check: () => unknown, timeout = 15_000) => vi.waitFor(check, { timeout, interval: 20 });
const arrived = (count: number, timeout?: number) =>
  waitFor(() => expect(server.received).toHaveLength(count), timeout);

test("a mail that is written arrives, once, and its content is gone from the database", async () => {
  const { failures } = start();
  const mail = aMail({ content: contents.reset_password });
  await write(mail);
  await arrived(1);
  expect(server.received[0]).toMatchObject({ to: [mail.to.email], mail: { subject: "Crie uma nova senha" } });
  const sent = { status: "sent", attempts: 1, sealedContent: null, sentBy: "smtp", error: null, nextAttemptAt: null };
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([sent]));
  expect(failures).toEqual([]);
});

test("a mail that is rolled back with its change never arrives", async () => {
  start();
  const [never, later] = [aMail(), aMail()];
  const change = forAccount([], async (tx) => {
    await writeMail(tx, never);
    throw new Error("the change fails");
  });
  await expect(change).rejects.toThrow("the change fails");
  await write(later);
  await arrived(1);
  expect(server.received[0]?.to).toEqual([later.to.email]);
  expect(await mailsOf(never.intent)).toEqual([]);
});

test("two workers at once send each of many mails once", async () => {
  const mails = Array.from({ length: 60 }, () => aMail());
  await write(...mails);
  const { failures } = start(2);
  await arrived(60);
  await waitFor(async () => {
    expect(await asSystem((tx) => tx.mail.count({ where: { status: { not: "sent" } } }))).toBe(0);
  });
  expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(60);
  expect(failures).toEqual([]);
});

test("mails wait while the server is away, and arrive when it is back", async () => {
  await server.goAway();
  const mail = aMail();
  await write(mail);
  const { stop } = start();
  const failed = {
    status: "failed",
    attempts: 1,
    error: "unreachable",
    answer: expect.stringContaining("ECONNREFUSED"),
  };
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([failed]), 10_000);
  const [row] = await mailsOf(mail.intent);
  const waitMs = Number(row?.nextAttemptAt) - Date.now();
  expect(waitMs).toBeGreaterThan(5_000);
  expect(waitMs).toBeLessThan(11_500);
  await stop();
  await server.comeBack();
  await dueNow();
  start();
  await arrived(1);
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([{ status: "sent", error: null }]));
});

test("a refused recipient ends its mail at once, with what the server said, and no other mail", async () => {
  const [refused, fine] = [aMail(), aMail({ content: contents.reset_password })];
  server.at.recipient = (address) =>
    address === refused.to.email
      ? { code: 550, text: "5.1.1 <ana> unknown here,\u0007 see https://mx.example/help?token=abc" }
      : undefined;
  await write(refused, fine);
  start();
  await arrived(1);
  await waitFor(async () =>
    expect(await mailsOf(refused.intent)).toMatchObject([
      { status: "exhausted", attempts: 1, error: "recipient_refused", nextAttemptAt: null },
    ]),
  );
  const [row] = await mailsOf(refused.intent);
  expect(row?.answer).toContain("5.1.1 <ana> unknown here");
  expect(row?.answer).not.toMatch(/https|token|\p{Cc}/u);
  expect(row?.sealedContent, "nothing is lost").not.toBeNull();
});

test.each([
  ["a server that says later", { code: 451, text: "4.7.1 greylisted" }, "failed", "try_later"],
  ["a server that refuses the whole mail", { code: 554, text: "5.7.1 spam" }, "exhausted", "mail_refused"],
] as const)("%s: the mail is kept as %j → %s", async (_, reply, status, error) => {
  server.at.data = () => reply;
  const mail = aMail();
  await write(mail);
  start();
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([{ status, error, attempts: 1 }]));
});

test("an address that is none, or two, is given to no server", async () => {
  const evil = ["ana@example.com\r\nBcc: eva@evil.example", "a@b.co, c@d.co", '"x" <a@b.co>', "", "ana", "a b@c.co"];
  const mails = evil.map((email) => aMail({ to: { email, locale: "en" } }));
  const fine = aMail();
  await write(...mails, fine);
  start();
  await arrived(1);
  const ended = mails.map(() => ({ status: "exhausted", error: "invalid_address" }));
  await waitFor(async () => expect(await mailsOf(...mails.map(({ intent }) => intent))).toMatchObject(ended));
  expect(server.received.map(({ to }) => to)).toEqual([[fine.to.email]]);
});

test("a mail whose content cannot be read ends alone, and is sent once the staff ask for it and it can", async () => {
  const mail = aMail();
  await write(mail);
  const [row] = await mailsOf(mail.intent);
  const { sealedContent } = row ?? {};
  const set = (bytes: Uint8Array<ArrayBuffer>) =>
    asSystem((tx) => tx.mail.update({ where: { intent: mail.intent }, data: { sealedContent: bytes } }));
  await set(new Uint8Array([0]));
  start();
  await waitFor(async () =>
    expect(await mailsOf(mail.intent)).toMatchObject([{ status: "exhausted", error: "not_rendered" }]),
  );
  await set(new Uint8Array(sealedContent ?? []));
  await retryMail({ id: row?.id ?? "" });
  await arrived(1);
});

test("after its last attempt a mail waits for the staff, who send it again, once", async () => {
  server.at.data = () => ({ code: 451, text: "later" });
  const mail = aMail();
  await write(mail);
  await asSystem((tx) => tx.mail.update({ where: { intent: mail.intent }, data: { attempts: 10 } }));
  start();
  const ended = { status: "exhausted", attempts: 11, error: "try_later", nextAttemptAt: null };
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([ended]));
  delete server.at.data;
  const [{ id } = { id: "" }] = await mailsOf(mail.intent);
  const races = await Promise.allSettled([1, 2, 3].map(() => retryMail({ id })));
  expect(races.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await arrived(1);
  await waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([{ status: "sent" }]));
  await expect(retryMail({ id })).rejects.toMatchObject({ code: "invalid_transition" });
});

test("a thousand waiting mails of one account do not delay another's, nor those of nobody", {
  timeout: 60_000,
}, async () => {
  server.at.heldMs = 100;
  const [crowd, other] = [newId(), newId()];
  await transactionOverAll((query) =>
    writeMails(
      query,
      Array.from({ length: 1_000 }, () => aMail({ accountId: crowd })),
    ),
  );
  start();
  await waitFor(() => expect(server.received.length).toBeGreaterThan(10));
  const before = server.received.length;
  const late = [aMail({ accountId: other }), aMail()];
  await transactionOverAll((query) => writeMails(query, late));
  await waitFor(() => {
    const gotten = server.received.flatMap(({ to }) => to);
    for (const { to } of late) expect(gotten).toContain(to.email);
  });
  expect(server.received.length - before, "the crowd's meanwhile").toBeLessThan(30);
});

test("an account whose mails all hang does not delay another's, nor those of nobody", async () => {
  server.at.holds = /^slow/;
  const crowd = newId();
  const slow = Array.from({ length: 30 }, (_, number) =>
    aMail({ accountId: crowd, to: { email: `slow${number}@example.com`, locale: "en" } }),
  );
  await transactionOverAll((query) => writeMails(query, slow));
  const { stop } = start();
  await waitFor(() => expect(server.connections.now).toBeGreaterThan(3));
  await transactionOverAll((query) => writeMails(query, [aMail({ accountId: newId() }), aMail()]));
  await arrived(2, 8_000); // a hanging mail is given up after 15 s
  await stop();
});

test("many accounts that wait take turns, however old the mails of some are", async () => {
  server.at.heldMs = 20;
  const accounts = Array.from({ length: 15 }, () => newId());
  const [old, fresh] = [accounts.slice(0, 12), accounts.slice(12)];
  const of = (accountId: string) => Array.from({ length: 20 }, () => aMail({ accountId }));
  const mails = [...old.flatMap(of), ...fresh.flatMap(of)];
  await transactionOverAll((query) => writeMails(query, mails));
  await asSystem((tx) =>
    tx.mail.updateMany({
      where: { accountId: { in: old } },
      data: { nextAttemptAt: new Date(Date.now() - 3_600_000) },
    }),
  );
  const whose = new Map(mails.map(({ to, accountId }) => [to.email, accountId]));
  start();
  await waitFor(() => expect(server.received.length).toBeGreaterThan(60), 20_000);
  const first = server.received.slice(0, 60).map(({ to }) => whose.get(to[0] ?? ""));
  for (const account of fresh) expect(first).toContain(account);
  await arrived(300, 30_000);
});

test("what a stopped worker was sending is due again at once, without a failed attempt, and known to be in doubt", async () => {
  server.at.heldMs = 60_000;
  const mail = aMail();
  await write(mail);
  const { stop } = start();
  await waitFor(() => expect(server.given).toHaveLength(1));
  await stop();
  expect(await mailsOf(mail.intent)).toMatchObject([{ status: "pending", attempts: 0, error: "unanswered" }]);
  server.at.heldMs = 0;
  const { failures } = start();
  await arrived(1);
  expect(failures).toEqual([]);
});

test("a sandbox's mails reach its own confirmed people alone; the others stay in the inbox, for the staff to read", async () => {
  const [proven, other] = [await makeAccount(), await makeAccount({ isProven: false })];
  const anyone = `${newId()}@example.com`;
  const of = ({ accountId }: Made, email: string) =>
    aMail({ accountId, mode: "sandbox", content: contents.charge_due, to: { email, locale: "pt-BR" } });
  const [own, bombs, unproven] = [
    of(proven, proven.email),
    Array.from({ length: 60 }, () => of(proven, anyone)),
    of(other, other.email),
  ];
  await transactionOverAll((query) => writeMails(query, [own, ...bombs, unproven]));
  start();
  const all = [own, ...bombs, unproven].map(({ intent }) => intent);
  await waitFor(async () => {
    expect((await mailsOf(...all)).map(({ status }) => status)).toEqual(all.map(() => "sent"));
  }, 30_000);
  expect(server.received.map(({ to }) => to[0])).toEqual([own.to.email]);
  const [kept] = await mailsOf(bombs[0]?.intent ?? "");
  expect(kept).toMatchObject({ sentBy: "inbox", recipient: anyone });
  expect((await readMail(kept?.id ?? "", { userId: "x" })).content?.subject).toContain("Ateliê Aurora");
});

test("a process that lost its claim while it was held up gives the server no mail", async () => {
  const mail = aMail();
  await write(mail);
  const worker = newId();
  const { claimed } = await claimMails(worker, 1, { served: [], full: [] });
  await leases.release(worker, claimed.slice(0, 1));
  await claimMails(newId(), 1, { served: [], full: [] });
  if (claimed[0]) await deliverMail(worker, claimed[0]);
  expect([server.given, server.received]).toEqual([[], []]);
  expect(await mailsOf(mail.intent)).toMatchObject([{ status: "pending", attempts: 0, error: null }]);
});
