import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { asSystem, forAccount } from "@/lib/db";
import { startMails } from "@/lib/mail/run";
import { type Mail, writeMail } from "@/lib/mail/write";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { serveSmtp } from "@/lib/testing/smtp";

/** The engine sends all that is due in the database. */
let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveSmtp>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveSmtp();
});
beforeEach(() => {
  server.received.length = 0;
  Object.assign(server.at, { recipient: undefined, data: undefined, heldMs: 0 });
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

const arrived = (count: number, timeout = 15_000) =>
  vi.waitFor(() => expect(server.received).toHaveLength(count), { timeout, interval: 20 });

test("a mail that is written arrives, once, and its content is gone from the database", async () => {
  const { failures } = start();
  const mail = aMail({ content: contents.reset_password });
  await write(mail);
  await arrived(1);
  expect(server.received[0]).toMatchObject({ to: [mail.to.email], mail: { subject: "Crie uma nova senha" } });
  const sent = { status: "sent", attempts: 1, sealedContent: null, sentBy: "smtp", error: null, nextAttemptAt: null };
  await vi.waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([sent]));
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
  await vi.waitFor(async () => {
    expect(await asSystem((tx) => tx.mail.count({ where: { status: { not: "sent" } } }))).toBe(0);
  });
  expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(60);
  expect(failures).toEqual([]);
});
