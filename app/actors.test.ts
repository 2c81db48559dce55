import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { payerLink } from "@/lib/billing/payer-link";
import { forAccount, prisma } from "@/lib/db";
import { completeDeposit } from "@/lib/deposits/complete";
import { newId } from "@/lib/ids";
import { createSeller } from "@/lib/sellers/create";
import { openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { openRail } from "@/lib/testing/rail";
import { aStaffPerson } from "@/lib/testing/staff";
import { anActive, aPlan, somebody } from "@/lib/testing/subscriptions";
import { hashPassword } from "@/lib/users/password";
import { signIn } from "@/lib/users/sign-in";
import { signOut } from "@/lib/users/sign-out";

const host = openHost(routes);
const V1 = "/api/partner/v1";

openRail();

const eventsOf = ({ accountId }: Pick<Made, "accountId">, type: string) =>
  forAccount(accountId, (tx) => tx.event.findMany({ where: { accountId, type }, orderBy: { id: "asc" } }));

test("what a program does is written down as its credential's, from where and for which request", async () => {
  const made = await makeAccount();
  const answer = await host.ask("POST", `${V1}/cash-in`, { token: made.token, body: { amount: 10 } });
  const requestId = answer.headers.get("x-request-id");
  const [created] = await eventsOf(made, "transaction.created");
  const actor = { kind: "credential", id: made.clientId, ip: expect.stringContaining("127.0.0.1") };
  expect(created).toMatchObject({ requestId, actor });

  const product = await host.ask("POST", `${V1}/products`, { token: made.token, body: { name: "Revista" } });
  const [event] = await eventsOf(made, "product.created");
  expect(event).toMatchObject({ requestId: product.headers.get("x-request-id"), actor });
  expect(event?.record).toMatchObject({ name: "Revista" });
});

test("a payment is the rail's act, whoever asked for the sale", async () => {
  const made = await makeAccount();
  const { json } = await host.ask("POST", `${V1}/cash-in`, { token: made.token, body: { amount: 10 } });
  const paid = await host.ask("POST", `${V1}/sandbox/pix/${json.identifier}/pay`, { token: made.token, body: {} });
  await completeDeposit({ provider: "simulator", endToEndId: String(paid.json.end_to_end_id) });
  const [event] = await eventsOf(made, "transaction.updated");
  expect(event?.actor).toEqual({ kind: "rail", id: "simulator" });
});

test("a payer's cancellation is the payer's act, and not the seller's", async () => {
  const made = await makeAccount();
  const id = await anActive(made, await aPlan(made));
  const page = `/checkout/subscription/${payerLink({ accountId: made.accountId, id, email: somebody().email })}`;
  await host.ask("POST", page, {
    body: "act=cancel",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  const events = await forAccount(made.accountId, (tx) =>
    tx.event.findMany({ where: { subjectId: id }, orderBy: { id: "desc" }, take: 1 }),
  );
  expect(events[0]?.actor).toMatchObject({ kind: "payer", ip: expect.any(String) });
});

test("a change by hand says what was before and after, and one that changes nothing leaves no event", async () => {
  const made = await makeAccount();
  const { token } = made;
  const body = { title: "Loja", url: "https://loja.example/aviso", event: "transaction" };
  const { json } = await host.ask("POST", `${V1}/webhooks`, { token, body });
  const [path, secret] = [`${V1}/webhooks/${json.id}`, String(json.token)];
  for (const title of ["Caixa", "Caixa"]) await host.ask("PUT", path, { token, body: { title } });
  await host.ask("DELETE", path, { token });
  const updated = await eventsOf(made, "webhook.updated");
  expect(updated.map(({ data }) => (data as { title?: object }).title)).toEqual([
    { before: "Loja", after: "Caixa" },
    undefined, // the second one changed nothing but when it was changed
  ]);
  expect(await eventsOf(made, "webhook.removed")).toHaveLength(1);
  const all = await forAccount(made.accountId, (tx) => tx.event.findMany());
  expect(JSON.stringify(all)).not.toContain(secret);
  expect(JSON.stringify(all)).not.toContain(made.clientSecret);
});

test("what the staff change of an account is written in that account's history, with the person and the session", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const { userId, cookie } = await aStaffPerson();
  const session = await prisma().session.findFirstOrThrow({ where: { userId } });
  const headers = { cookie, "sec-fetch-site": "same-origin" };
  await host.ask("PATCH", `/api/operator/v1/accounts/${accountId}`, { body: { status: "suspended" }, headers });
  const [event] = await eventsOf({ accountId }, "account.suspended");
  expect(event).toMatchObject({
    actor: { kind: "staff", id: userId, session: session.id },
    data: { status: { before: "approved", after: "suspended" } },
  });
});

test("a person's sessions and new passwords are in the history of their seller's live account", async () => {
  const email = `${newId()}@example.com`;
  const password = "chuva miúda no telhado";
  const person = { name: "Ana Prado", email, passwordHash: await hashPassword(password) };
  const { liveId: accountId } = await createSeller({ company: "Ateliê Aurora", document: generateCnpj(), person });
  const session = await signIn({ email, password, ip: "203.0.113.7", userAgent: "Firefox" });
  await signOut(session?.sessionId ?? "");
  await signOut(session?.sessionId ?? ""); // is over already
  const history = await forAccount(accountId, (tx) =>
    tx.event.findMany({ where: { accountId }, orderBy: { id: "asc" } }),
  );
  const actor = { kind: "person", id: session?.userId };
  expect(history).toMatchObject([
    { type: "account.created", actor },
    { type: "session.created", actor: { ...actor, ip: "203.0.113.7", session: session?.sessionId } },
    { type: "session.removed", actor: { ...actor, session: session?.sessionId } },
  ]);
  expect(JSON.stringify(history)).not.toContain(person.passwordHash);
});
