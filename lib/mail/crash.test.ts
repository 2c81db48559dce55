import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { forAccount, transactionOverAll } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { writeMail, writeMails } from "@/lib/mail/write";
import type { CrashPoint } from "@/lib/process/crash-points";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { crashAt, startProgram } from "@/lib/testing/program";
import { serveSmtp } from "@/lib/testing/smtp";

/** Attempts are made at all that is due in the database. */
let drop: () => Promise<void>;
let server: Awaited<ReturnType<typeof serveSmtp>>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  server = await serveSmtp();
});
beforeEach(() => {
  server.received.length = 0;
});
afterAll(async () => {
  await server.close();
  await drop();
});

const WORKER = `import { startMails } from "@/lib/mail/run";
  startMails((error) => { throw error; });
  setInterval(() => {}, 1_000);`;

/** The links of mails lead to where this process is now, which may be elsewhere than where it began. */
const settings = () => ({ MAIL_URL: String(env.MAIL_URL), APP_URL: env.APP_URL });
const start = (given: Record<string, string> = {}) => startProgram(WORKER, { ...settings(), ...given });
const crash = (point: CrashPoint) => crashAt(point, WORKER, settings());

const expectSent = (intents: string[]) =>
  vi.waitFor(
    async () => {
      const rows = await mailsOf(...intents);
      expect(rows.map(({ status }) => status)).toEqual(intents.map(() => "sent"));
    },
    { timeout: 15_000, interval: 50 },
  );

test("a worker that is killed between the commit and the server: another sends each mail once, within 10 s", {
  timeout: 60_000,
}, async () => {
  const mails = Array.from({ length: 12 }, () => aMail());
  await forAccount([], async (tx) => {
    for (const mail of mails) await writeMail(tx, mail);
  });
  await crash("mail.claimed");
  expect(server.received).toEqual([]);
  const began = performance.now();
  await start();
  await expectSent(mails.map(({ intent }) => intent));
  expect(performance.now() - began).toBeLessThan(12_000); // 10 s, and what its start takes
  expect(server.received.map(({ to }) => to[0]).sort()).toEqual(mails.map(({ to }) => to.email).sort());
});

test("a worker that is killed when the server had accepted a mail: it comes again under the same Message-ID", {
  timeout: 60_000,
}, async () => {
  const mail = aMail();
  await forAccount([], (tx) => writeMail(tx, mail));
  await crash("mail.accepted");
  expect(server.received).toHaveLength(1);
  await start();
  await expectSent([mail.intent]);
  expect(server.received).toHaveLength(2);
  const [first, second] = server.received.map(({ mail: { messageId } }) => messageId);
  expect(first).toMatch(/^<[0-9a-f-]{36}@/);
  expect(second).toBe(first);
});

test("a worker that is killed while its server hangs: one mail was given and comes twice, all others once", {
  timeout: 60_000,
}, async () => {
  const accountId = newId();
  const mails = Array.from({ length: 12 }, () => aMail({ accountId }));
  await transactionOverAll((query) => writeMails(query, mails));
  server.at.holds = /./;
  server.given.length = 0;
  const { kill } = await start();
  await vi.waitFor(() => expect(server.connections.now).toBeGreaterThan(3), { timeout: 20_000, interval: 20 });
  await vi.waitFor(() => expect(server.given).not.toEqual([]), { timeout: 5_000, interval: 20 });
  const [doubtful] = await mailsOf(
    ...mails.filter(({ to }) => to.email === server.given[0]).map(({ intent }) => intent),
  );
  expect(doubtful).toMatchObject({ status: "pending", error: "unanswered" });
  await kill();
  server.at.holds = undefined;
  await start();
  await expectSent(mails.map(({ intent }) => intent));
  expect(server.given).toHaveLength(13);
});

test("no log has a word of a mail, its address or the server's password, whatever becomes of it", {
  timeout: 60_000,
}, async () => {
  const mails = [aMail({ content: contents.reset_password }), aMail({ content: contents.confirm_address })];
  server.at.recipient = (address) =>
    address === mails[0]?.to.email ? { code: 550, text: `no ${address} at https://mx.example/s3cr3tT0ken` } : undefined;
  await forAccount([], async (tx) => {
    for (const mail of mails) await writeMail(tx, mail);
  });
  const MAIL_URL = String(env.MAIL_URL).replace("//", "//ana:p4ssw0rd@");
  const { printed } = await start({ MAIL_URL, LOG_LEVEL: "trace" });
  await vi.waitFor(async () => {
    const rows = await mailsOf(...mails.map(({ intent }) => intent));
    expect(rows.map(({ attempts }) => attempts)).toEqual([1, 1]);
  }, 15_000);
  await vi.waitFor(() => expect(printed()).toContain("recipient_refused"));
  expect(printed()).not.toMatch(/p4ssw0rd|s3cr3t|qX3d|@example\.com/);
});
