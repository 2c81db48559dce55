import { encode } from "next-auth/jwt";
import { beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId, newSecret } from "@/lib/ids";
import { openHost } from "@/lib/testing/http";
import { lettersTo, linkMailedTo, secretIn } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
beforeEach(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 }));

const SIGN_UP = "/api/public/v1/sign-up";
const FORGOT = "/api/dashboard/v1/forgot";
const CONFIRM = "/api/dashboard/v1/confirm";
const RESET = "/api/dashboard/v1/reset";
const PASSWORD = "uma frase só minha";
const company = { company: "Loja", document: "11222333000181", name: "Ana", password: PASSWORD };

/** Status, body and headers of an answer, without what is new in each. */
const seen = async (path: string, body: object) => {
  const { status, text, headers } = await host.ask("POST", path, { body });
  return {
    status,
    text,
    headers: [...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name)),
  };
};

const usersOf = (email: string) => prisma().user.count({ where: { email } });

describe("an anonymous caller gets one answer, byte for byte, for a known and an unknown address:", () => {
  test.each([
    [SIGN_UP, 201, company],
    [FORGOT, 202, {}],
  ])("POST %s", async (path, status, rest) => {
    const { email } = await makeAccount();
    for (let times = 0; times < 5; times += 1) {
      const known = await seen(path, { ...rest, email });
      expect(known.status).toBe(status);
      expect(await seen(path, { ...rest, email: `${newId()}@example.com` })).toEqual(known);
    }
  });

  test("also with an invitation's link that was sent to another address, or is none", async () => {
    const { email } = await makeAccount();
    const invite = await invitationOf(`${newId()}@example.com`);
    const plain = await seen(SIGN_UP, { ...company, email });
    for (const secret of [invite, newSecret(), ""]) {
      for (const address of [email, `${newId()}@example.com`]) {
        expect(await seen(SIGN_UP, { ...company, email: address, invite: secret })).toEqual(plain);
      }
    }
  });

  test("and for a link that was used, is over, or never was", async () => {
    const email = `${newId()}@example.com`;
    await host.ask("POST", SIGN_UP, { body: { ...company, email } });
    const secret = (await linkMailedTo(email)) ?? "";
    await host.ask("POST", CONFIRM, { body: { secret, password: PASSWORD } });
    const used = await seen(CONFIRM, { secret, password: PASSWORD });
    expect(used.status).toBe(410);
    for (const other of [newSecret(), "", "x".repeat(64)]) {
      expect(await seen(CONFIRM, { secret: other, password: PASSWORD })).toEqual(used);
      expect(await seen(RESET, { secret: other, password: PASSWORD })).toEqual(used);
    }
  });
});

test("an invitation's link makes the account of the address that it was sent to, and of no other, which a mail confirms", async () => {
  const email = `${newId()}@example.com`;
  const invite = await invitationOf(email);
  const body = { ...company, email: email.toUpperCase(), invite };
  const made = await host.ask("POST", SIGN_UP, { body });
  expect(made).toMatchObject({ status: 201, json: { status: "created" } });
  expect(await prisma().user.findUniqueOrThrow({ where: { email } })).toMatchObject({ emailConfirmedAt: null });
  expect(await linkMailedTo(email)).toEqual(expect.any(String));
  const again = await host.ask("POST", SIGN_UP, { body });
  expect(again).toMatchObject({ status: 409, json: { error: "email_taken" } });

  const other = `${newId()}@example.com`;
  const mailed = await host.ask("POST", SIGN_UP, { body: { ...body, email: other } });
  expect(mailed).toMatchObject({ status: 201, json: { status: "mailed" } });
  expect(await usersOf(other)).toBe(0);
});

test("from the mail to the session: confirmed by password, and by the session of its person", async () => {
  const email = `${newId()}@example.com`;
  await host.ask("POST", SIGN_UP, { body: { ...company, email } });
  const secret = (await linkMailedTo(email)) ?? "";
  const wrong = await host.ask("POST", CONFIRM, { body: { secret, password: "x" } });
  expect(wrong).toMatchObject({ status: 422, json: { errors: { password: [expect.any(String)] } } });
  expect(await host.ask("POST", CONFIRM, { body: { secret, password: PASSWORD } })).toMatchObject({
    status: 200,
    json: { email },
  });

  await prisma().user.update({ where: { email }, data: { emailConfirmedAt: null } });
  const headers = await sessionOf(email);
  const mail = await host.ask("POST", `${CONFIRM}/mail`, { headers, body: {} });
  expect(mail).toMatchObject({ status: 202 });
  const link = { secret: (await linkMailedTo(email)) ?? "" };
  const { token } = await makeAccount();
  const byProgram = await host.ask("POST", `${CONFIRM}/address`, { token, body: link });
  expect(byProgram).toMatchObject({ status: 410 });
  expect(await host.ask("POST", `${CONFIRM}/address`, { headers, body: link })).toMatchObject({ status: 200 });
  expect(await prisma().user.findUniqueOrThrow({ where: { email } })).toMatchObject({
    emailConfirmedAt: expect.any(Date),
  });
});

test("a new password ends a session from its next request on", async () => {
  const { email } = await makeAccount();
  const headers = await sessionOf(email);
  const balance = () => host.ask("GET", "/api/partner/v1/balance", { headers });
  expect(await balance()).toMatchObject({ status: 200 });
  await host.ask("POST", FORGOT, { body: { email } });
  const secret = (await linkMailedTo(email)) ?? "";
  expect(await host.ask("POST", RESET, { body: { secret, password: PASSWORD } })).toMatchObject({ status: 200 });
  expect(await balance()).toMatchObject({ status: 401 });
});

test.each([
  [FORGOT, { email: "nobody" }, "email"],
  [FORGOT, { email: `${"a".repeat(250)}@b.co` }, "email"],
  [RESET, { secret: newSecret(), password: "elevenchars" }, "password"],
  [RESET, { secret: "x".repeat(65), password: PASSWORD }, "secret"],
  [CONFIRM, { secret: newSecret(), password: "" }, "password"],
])("POST %s with %j is 422", async (path, body, field) => {
  const answer = await host.ask("POST", path, { body });
  expect(answer).toMatchObject({ status: 422, json: { errors: { [field]: [expect.any(String)] } } });
});

test("an address that asks too often is refused, whatever e-mails it names", async () => {
  for (const [path, rest] of [[SIGN_UP, company] as const, [FORGOT, {}] as const]) {
    Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 0 });
    const { email } = await makeAccount();
    const [known, unknown] = [
      await seen(path, { ...rest, email }),
      await seen(path, { ...rest, email: `${newId()}@example.com` }),
    ];
    expect(known.status).toBe(429);
    expect(unknown.text).toBe(known.text);
    Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 });
  }
});

/** The headers of a session of this person. */
async function sessionOf(email: string) {
  const user = await prisma().user.findUniqueOrThrow({ where: { email }, include: { memberships: true } });
  const accountId = user.memberships[0]?.sandboxId ?? "";
  const id = newId();
  const expiresAt = new Date(Date.now() + 3_600_000);
  await prisma().session.create({ data: { id, userId: user.id, accountId, ip: "::1", userAgent: "", expiresAt } });
  const cookie = `${sessionCookieName()}=${await encode({ token: { sid: id }, secret: env.SESSION_SECRET })}`;
  return { cookie, "x-account": accountId, "sec-fetch-site": "same-origin" };
}

/** Invites this address to a plan. Returns the secret of the link in its mail. */
async function invitationOf(email: string): Promise<string> {
  const { token } = await makeAccount();
  const plan = { name: "Mensal", amount: 49.9, billing_method: "qr_code" };
  const made = await host.ask("POST", "/api/partner/v1/subscription-plans", { token, body: plan });
  const { token: id } = made.json.data as { token: string };
  const path = `/api/partner/v1/subscription-plans/${id}/splits`;
  await host.ask("POST", path, { token, body: { email, percentage: 10 } });
  return secretIn(await lettersTo(email)) ?? "";
}
