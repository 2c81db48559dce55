import { expect, test } from "vitest";
import { forAccount, prisma } from "@/lib/db";
import { renderStored } from "@/lib/mail/stored";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { openReceiver } from "@/lib/testing/webhooks";
import { createWebhook } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";
import { deliveriesOf, deliverOnce, dispatchEvent, happen, makeSale, type Reply } from "@/lib/webhooks/testing";

const HOUR = 3_600_000;
const exact = { random: () => 0.5 };

/** A webhook whose failures began so many hours ago, and a way to attempt a delivery to it. */
async function failing(made: Made, failuresInRow: number, hours: number, ...replies: [Reply, ...Reply[]]) {
  const { account, accountId } = made;
  const { url } = await openReceiver(...replies);
  const input = WebhookInput.parse({ title: "Loja <b>", url: `${url}/hook`, event: "transaction" });
  const { id } = await createWebhook(account, input, call());
  const failingSince = new Date(Date.now() - hours * HOUR);
  const set = (data: object) =>
    forAccount(accountId, (tx) => tx.webhook.update({ where: { accountId_id: { accountId, id } }, data }));
  await set({ failuresInRow, failingSince });
  await dispatchEvent(await happen(await makeSale(accountId), "pending"));
  const [delivery] = (await deliveriesOf(accountId)).filter(({ webhookId }) => webhookId === id);
  const attempt = () => deliverOnce({ accountId, deliveryId: delivery?.id ?? "" }, exact);
  return { id, url, failingSince, attempt, set };
}

const mailsOfAccount = (accountId: string) =>
  forAccount(accountId, (tx) => tx.mail.findMany({ where: { accountId }, orderBy: { id: "asc" } }));

test("half way to being disabled its owner gets one mail, and none before", async () => {
  const made = await makeAccount();
  const { accountId, account } = made;
  const { attempt, id, url } = await failing(made, 4, 13, { status: 500 });
  await attempt();
  expect(await mailsOfAccount(accountId)).toEqual([]);
  for (let failure = 6; failure <= 8; failure += 1) await attempt();
  const [mail, ...others] = await mailsOfAccount(accountId);
  expect(others).toEqual([]);
  expect(mail).toMatchObject({ template: "webhook_failing", mode: "sandbox", locale: "pt-BR", status: "pending" });
  const { email } = await forAccount(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: account.id } }));
  expect(mail?.recipient).toBe(email);
  const { subject, html, text } = renderStored(mail ?? ({} as never));
  expect(subject).toBe("[Teste] O webhook Loja <b> está falhando");
  expect(html).not.toContain("<b>");
  expect(text).toContain(`/${accountId}/webhooks/${id}`);
  expect(text).toContain(`${url}/hook`);
});

test("failures of less than half a day, or fewer than half of them, lead to no mail", async () => {
  const made = await makeAccount();
  await (await failing(made, 9, 11, { status: 500 })).attempt();
  await (await failing(made, 3, 23, { status: 500 })).attempt();
  expect(await mailsOfAccount(made.accountId)).toEqual([]);
});

test("at the end its owner gets another mail, and at its next failures' end a mail of their own", async () => {
  const made = await makeAccount();
  const { attempt, set } = await failing(made, 11, 25, { status: 500 });
  await attempt();
  expect(await mailsOfAccount(made.accountId)).toMatchObject([{ template: "webhook_disabled" }]);
  await set({ disabledAt: null, failuresInRow: 11, failingSince: new Date(Date.now() - 26 * HOUR) });
  await forAccount(made.accountId, (tx) => tx.delivery.updateMany({ data: { nextAttemptAt: new Date() } }));
  await attempt();
  const mails = await mailsOfAccount(made.accountId);
  expect(mails.map(({ template }) => template)).toEqual(["webhook_disabled", "webhook_disabled"]);
});

test("a 410 disables it with a mail at once, in the language of the account's owner", async () => {
  const made = await makeAccount({ mode: "live" });
  const { accountId } = made;
  const { userId } = await prisma().membership.findFirstOrThrow({ where: { accountId } });
  await prisma().user.update({ where: { id: userId }, data: { locale: "en" } });
  const webhook = { account: { ...made.account, mode: "sandbox" as const } }; // so that it may be on this machine
  const { attempt } = await failing({ ...made, ...webhook }, 0, 0, { status: 410 });
  await forAccount(accountId, (tx) => tx.account.updateMany({ data: { mode: "sandbox" } }));
  await attempt();
  const [mail] = await mailsOfAccount(accountId);
  expect(mail).toMatchObject({ template: "webhook_disabled", locale: "en" });
});

test("an address that is none fails no delivery", async () => {
  const made = await makeAccount();
  const { attempt } = await failing(made, 11, 25, { status: 500 });
  const email = `not an address ${made.accountId}`;
  await prisma().user.update({ where: { email: made.email }, data: { email } });
  await attempt();
  expect(await mailsOfAccount(made.accountId)).toMatchObject([{ recipient: email }]);
  expect(await deliveriesOf(made.accountId)).toMatchObject([{ attempts: 1 }]);
});
