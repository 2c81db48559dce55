import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { simpleParser } from "mailparser";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { forAccount } from "@/lib/db";
import { env } from "@/lib/env";
import { readMail } from "@/lib/mail/read";
import { startMails } from "@/lib/mail/run";
import { writeMail } from "@/lib/mail/write";
import { aMail, contents, mailsOf } from "@/lib/testing/mails";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";

const before = { DATA_DIR: env.DATA_DIR };
const data = mkdtempSync(join(tmpdir(), "repasse-inbox-"));
const folder = join(data, "mail");
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
  Object.assign(env, { DATA_DIR: data });
});
afterAll(async () => {
  Object.assign(env, before);
  rmSync(data, { recursive: true });
  await drop();
});

async function sent(content: (typeof contents)[keyof typeof contents]) {
  const mail = aMail({ content, mode: "sandbox" });
  const stop = startMails((error) => {
    throw error;
  });
  await forAccount([], (tx) => writeMail(tx, mail));
  await vi.waitFor(async () => expect(await mailsOf(mail.intent)).toMatchObject([{ attempts: 1 }]), 10_000);
  await stop();
  const [row] = await mailsOf(mail.intent);
  if (!row) throw new Error("The mail is gone");
  return row;
}

test("without a server a mail is a file that only its owner reads, and the staff read it in the console", async () => {
  const row = await sent(contents.reset_password);
  expect(row).toMatchObject({ status: "sent", sentBy: "inbox", sealedContent: expect.anything() });
  const [name = ""] = readdirSync(folder);
  expect(name).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z-${row.id}\\.eml$`));
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const parsed = await simpleParser(readFileSync(join(folder, name)));
  expect(parsed.subject).toBe("[Teste] Crie uma nova senha");
  expect(parsed.text).toContain("s3cr3tT0ken");
  const { content } = await readMail(row.id, { userId: "x" });
  expect(content).toMatchObject({ subject: parsed.subject, html: parsed.html });
});

/** Sends one mail in a process of its own. */
const SEND_ONE = `import { inbox } from "@/lib/mail/inbox";
  const message = { id: "b", to: "a@b.co", from: "a@b.co", subject: "x", text: "x", html: "x" };
  console.log((await inbox.send(message)).error ?? "sent");`;

test("files of more than 30 days are removed, and the oldest of more than 2,000; other files stay", async () => {
  writeFileSync(join(folder, "2020-01-01T00-00-00-000Z-a.eml"), "");
  writeFileSync(join(folder, "note.txt"), "");
  const today = new Date().toISOString().slice(0, 10);
  for (let number = 10_000; number < 12_100; number += 1)
    writeFileSync(join(folder, `${today}T00-00-00-${number}.eml`), "");
  const program = await startProgram(SEND_ONE, { DATA_DIR: data }); // a new process looks at its first mail
  await program.says("sent");
  const left = readdirSync(folder);
  expect(left).toContain("note.txt");
  expect(left.filter((name) => name.startsWith("2020") || /-10\d{3}\.eml$/.test(name))).toHaveLength(898);
  expect(left).toHaveLength(2_001);
});

test("a folder that cannot be written keeps the mail waiting, and names the reason", async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, "a file where the folder should be");
  const row = await sent(contents.password_changed);
  expect(row).toMatchObject({ status: "failed", error: "not_written", answer: "EEXIST" });
  rmSync(folder);
});
