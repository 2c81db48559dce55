import { afterAll, beforeAll, expect, test } from "vitest";
import { forAccount, prisma } from "@/lib/db";
import { defenceCall } from "@/lib/disputes/call";
import { defendDispute } from "@/lib/disputes/defend";
import { deleteEvidence, readEvidenceFile, sendEvidence } from "@/lib/disputes/evidence";
import { followDisputes } from "@/lib/disputes/follow";
import { idOfCode } from "@/lib/disputes/record";
import { remindSellers } from "@/lib/disputes/remind";
import { eventsConsumer } from "@/lib/events/consume";
import { openEvent } from "@/lib/events/subjects";
import { finishCall } from "@/lib/outside/calls";
import { makeDueCalls } from "@/lib/outside/run";
import { disputed, disputesOf, ended, heard } from "@/lib/testing/disputes";
import { call, type Made } from "@/lib/testing/make";
import { openOwnDatabase } from "@/lib/testing/own-database";
import { pictures } from "@/lib/testing/pictures";
import { openRail } from "@/lib/testing/rail";
import { aPixSale, aSeller, balances } from "@/lib/testing/refunds";
import type { Event } from "@/prisma/client/client";

/** Loops take all that is due, so these tests have a database of their own. */
let drop: () => Promise<void>;
openRail();
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const pdf = Buffer.from("%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n");

async function anOpen() {
  const seller = await aSeller();
  const sale = await aPixSale(seller);
  const reported = await disputed(seller, sale);
  const code = (await disputesOf(seller))[0]?.code ?? "";
  return { seller, sale, reported, code };
}

const send = ({ account }: Made, code: string, file: Buffer = pdf) =>
  sendEvidence(account, { code, name: "nota.pdf", file }, call());
const defend = ({ account }: Made, code: string) => defendDispute(account, { code, text: "Entregue." }, call());
const faultOf = (run: Promise<unknown>) =>
  run.then(
    () => "ok",
    ({ code }: { code: string }) => code,
  );

test("a defence is sent once with its files, however often it is asked for at once, and nothing of it changes afterwards", async () => {
  const { seller, reported, code } = await anOpen();
  const { id } = (await send(seller, code)).data;
  const answers = await Promise.all([1, 2, 3].map(() => faultOf(defend(seller, code))));
  expect(answers.sort()).toEqual(["dispute_defended", "dispute_defended", "ok"]);
  while (await makeDueCalls([defenceCall]));
  const kept = await prisma().simulatorInfraction.findUniqueOrThrow({ where: { id: reported.id } });
  expect(kept.defence).toEqual({
    text: "Entregue.",
    evidence: [
      {
        name: "nota.pdf",
        size: pdf.length,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        content_type: "application/pdf",
      },
    ],
  });
  expect(await faultOf(send(seller, code))).toBe("dispute_defended");
  expect(await faultOf(deleteEvidence(seller.account, { code, id }, call()))).toBe("dispute_defended");
  const file = await readEvidenceFile(seller.accountId, { code, id });
  expect([file.bytes.equals(pdf), file.contentType, file.name]).toEqual([
    true,
    "application/pdf",
    `contestacao-${id}.pdf`,
  ]);
});

test("a defence that its provider refuses was none: the seller is reminded again, and another one is sent", async () => {
  const { seller, reported, code } = await anOpen();
  const { accountId } = seller;
  await defend(seller, code);
  await finishCall(defenceCall, { accountId, id: idOfCode(code) ?? "" }, { status: "refused", reason: "x" });
  const [refused] = await disputesOf(seller);
  expect(refused).toMatchObject({ status: "open", defended_at: null, allowed_actions: ["defend"] });
  expect(refused?.events.map(({ event }) => event)).toEqual(["created", "defended", "defence_refused"]);
  const { remindAt } = await forAccount(accountId, (tx) => tx.dispute.findFirstOrThrow({ where: { accountId } }));
  expect(remindAt).not.toBeNull();
  await defend(seller, code);
  while (await makeDueCalls([defenceCall]));
  const kept = await prisma().simulatorInfraction.findUniqueOrThrow({ where: { id: reported.id } });
  expect(kept.defence).toMatchObject({ text: "Entregue." });
  expect((await disputesOf(seller))[0]).toMatchObject({ defended_at: expect.any(String), allowed_actions: [] });
});

test("its files are encrypted, five at most though six come at once, and only what their bytes say is a PDF, PNG or JPEG", async () => {
  const { seller, code } = await anOpen();
  expect(await faultOf(send(seller, code, Buffer.from("<html>")))).toBe("validation_failed");
  const six = await Promise.all(Array.from({ length: 6 }, () => faultOf(send(seller, code, pictures.png))));
  expect(six.filter((one) => one !== "ok")).toEqual(["evidence_limit_reached"]);
  const rows = await forAccount(seller.accountId, (tx) =>
    tx.disputeFile.findMany({ where: { accountId: seller.accountId } }),
  );
  expect(rows.some(({ bytes }) => Buffer.from(bytes).includes(pictures.png.subarray(0, 16)))).toBe(false);
});

test("is refused after the deadline, and of a dispute that has ended", async () => {
  const { seller, sale, reported, code } = await anOpen();
  const { accountId } = seller;
  await forAccount(accountId, (tx) => tx.dispute.updateMany({ where: { accountId }, data: { deadline: new Date(0) } }));
  expect(await faultOf(defend(seller, code))).toBe("dispute_deadline_passed");
  await ended(seller, sale, reported, "cancelled");
  expect(await faultOf(defend(seller, code))).toBe("invalid_transition");
  expect(await faultOf(send(seller, code))).toBe("invalid_transition");
});

test("the amount of a sandbox's dispute chooses how its defence ends", async () => {
  const seller = await aSeller();
  const sale = await aPixSale(seller);
  const reported = await disputed(seller, sale, 5_093);
  const [one] = await disputesOf(seller);
  await defend(seller, one?.code ?? "");
  while (await makeDueCalls([defenceCall]));
  await heard(seller, sale, reported);
  expect((await disputesOf(seller))[0]).toMatchObject({ status: "lost", lost_amount: "25.46" });
  expect((await balances(seller))[2]).toBe(0);
});

test("the seller is mailed at the opening, 48, 24 and 6 hours before the deadline, and at the end; no more once it is defended", async () => {
  const [one, other] = [await anOpen(), await anOpen()];
  const { consume } = eventsConsumer({ disputes: followDisputes });
  while (await consume());
  await defend(other.seller, other.code);
  for (let nth = 0; nth < 4; nth += 1) {
    for (const { seller } of [one, other])
      await forAccount(
        seller.accountId,
        (tx) =>
          tx.$executeRaw`update disputes set deadline = deadline - (remind_at - now()), remind_at = now()
          where account_id = ${seller.accountId}::uuid and remind_at is not null`,
      );
    while (await remindSellers());
  }
  await ended(one.seller, one.sale, one.reported, "won");
  while (await consume());
  const mailsOf = async ({ accountId }: Made) =>
    (await forAccount(accountId, (tx) => tx.mail.findMany({ where: { accountId }, orderBy: { id: "asc" } }))).map(
      ({ intent }) => intent.split(":")[0],
    );
  expect(await mailsOf(one.seller)).toEqual([
    ...["dispute_opened", "dispute_reminder_48", "dispute_reminder_24", "dispute_reminder_6", "dispute_ended"],
  ]);
  expect(await mailsOf(other.seller)).toEqual(["dispute_opened"]);
});

test("of the reminders that nobody sent in time only the latest is sent, with the hours that are left", async () => {
  const { seller } = await anOpen();
  const { accountId } = seller;
  const inHours = async (hours: number) => {
    const [at, day] = [Date.now() + hours * 3_600_000, 86_400_000];
    const data = { deadline: new Date(at), remindAt: new Date(at - 2 * day) };
    await forAccount(accountId, (tx) => tx.dispute.updateMany({ where: { accountId }, data }));
    while (await remindSellers());
    const { remindAt } = await forAccount(accountId, (tx) => tx.dispute.findFirstOrThrow({ where: { accountId } }));
    return remindAt && Math.round((at - remindAt.getTime()) / 3_600_000);
  };
  expect(await inHours(10)).toBe(6);
  const mails = await forAccount(accountId, (tx) => tx.mail.findMany({ where: { accountId } }));
  expect(mails.map(({ intent }) => intent.split(":")[0])).toEqual(["dispute_reminder_24"]);
  expect(await inHours(-1), "after the deadline there is nothing to be reminded of").toBeNull();
  expect(await forAccount(accountId, (tx) => tx.mail.count({ where: { accountId } }))).toBe(1);
});

test("webhooks of infractions get opening and end, and a dispute that opens or is won changes nothing in the event contract", async () => {
  const { seller, sale, reported, code } = await anOpen();
  await ended(seller, sale, reported, "won");
  const { accountId } = seller;
  const where = { accountId, subject: { in: ["transaction", "dispute"] } };
  const events = await forAccount(accountId, (tx) => tx.event.findMany({ where, orderBy: { id: "asc" } }));
  const sent = events.flatMap((event: Event) => {
    const opened = openEvent(event);
    return opened.subscriptions.map(({ registration, contract, name }) => ({
      registration,
      name,
      body: opened.body({ contract, name }),
    }));
  });
  const infractions = sent.filter(({ registration }) => registration === "infraction");
  expect(infractions.map(({ name, body }) => [name, (body as { infraction: object }).infraction])).toEqual([
    [
      "infraction.created",
      expect.objectContaining({ code, status: "open", reason: "fraud", amount: "100.00", reference_id: sale }),
    ],
    ["infraction.updated", expect.objectContaining({ code, status: "won", deadline: expect.stringMatching(/Z$/) })],
  ]);
  const statuses = sent.flatMap(({ registration, body }) => {
    const { transaction } = body as { transaction?: { status: string; previous_status: string | null } };
    return registration === "transaction" && transaction ? [[transaction.status, transaction.previous_status]] : [];
  });
  expect(statuses).toEqual([
    ["pending", null],
    ["completed", "pending"],
  ]);
  const cash = sent.flatMap(({ registration, body }) =>
    registration === "all" ? [(body as { data: { status: string } }).data.status] : [],
  );
  expect(cash, "the cash contract says med").toEqual(["pending", "completed", "med", "completed"]);
});
