import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SignUpBody } from "@/lib/accounts/schema";
import { forAccount, prisma } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { lettersTo, linkMailedTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { allStaffRoles } from "@/lib/testing/staff";
import { confirmLink } from "@/lib/users/confirm";
import { forgotPassword } from "@/lib/users/forgot-password";
import { linkKinds } from "@/lib/users/links";
import { resetPassword } from "@/lib/users/reset-password";
import { signIn } from "@/lib/users/sign-in";
import { signUp } from "@/lib/users/sign-up";

const someIp = () => [10, ...randomBytes(3)].join(".");

const form = (changes: object = {}) => ({
  company: "Padaria São João",
  document: "11.222.333/0001-81",
  name: "Ana",
  email: `${newId()}@Example.com`,
  password: "uma frase só minha",
  ...changes,
});

const read = (changes: object = {}) => SignUpBody.parse(form(changes));
const ask = (body: SignUpBody, ip = someIp()) => signUp({ ...body, ip, isInvited: false });
const countUsers = (email: string) => prisma().user.count({ where: { email } });
const templatesTo = async (email: string) => (await lettersTo(email)).map(({ template }) => template);
const expired = { code: "link_expired" };

/** Signs up and returns the secret of the link that was mailed. */
async function signedUp(body: SignUpBody, ip?: string): Promise<string> {
  await ask(body, ip);
  return (await linkMailedTo(body.email)) ?? "";
}

test("a new seller's live account is pending without features, and its sandbox account has them all", async () => {
  const body = read({ locale: "en" });
  const { email, password } = body;
  expect(await confirmLink({ secret: await signedUp(body), password })).toMatchObject({ email });
  expect(await lettersTo(email)).toMatchObject([{ template: "confirm_address", name: "Ana", locale: "en" }]);

  const session = await signIn({ email, password, ip: someIp(), userAgent: "" });
  const [membership] = await prisma().membership.findMany({ where: { userId: session?.userId ?? "" } });
  if (!membership) throw new Error("a person without a seller");
  const { accountId, sandboxId, role } = membership;
  expect(role).toBe("owner");
  const accounts = await forAccount([accountId, sandboxId], (tx) => tx.account.findMany({ orderBy: { mode: "asc" } }));
  const both = { name: "Padaria São João", document: "11222333000181", email };
  const every = ["cards", "refunds", "recurring", "cash_out"];
  expect(accounts).toMatchObject([
    { ...both, id: accountId, mode: "live", status: "pending", twinId: null, features: [] },
    { ...both, id: sandboxId, mode: "sandbox", status: "approved", twinId: accountId, features: every },
  ]);
  const user = await prisma().user.findUniqueOrThrow({ where: { email } });
  expect(user).toMatchObject({ locale: "en", emailConfirmedAt: expect.any(Date) });
  expect(user.passwordHash).toMatch(/^\$argon2id\$/);
});

test("before its link is followed a sign-up is no person, no account, no session and holds no address", async () => {
  const body = read();
  const { email, password } = body;
  await ask(body);
  expect(await countUsers(email)).toBe(0);
  const secret = await linkMailedTo(email);
  expect(await countUsers(email)).toBe(0);
  expect(await signIn({ email, password, ip: someIp(), userAgent: "" })).toBeNull();
  const [row] = await prisma().mailLink.findMany({ where: { email } });
  expect(JSON.stringify(row)).not.toContain(password);
  for (const guess of [
    row?.id,
    Buffer.from(row?.linkHash ?? "").toString("base64url"),
    newSecret(),
    "",
    secret?.slice(1),
  ]) {
    await expect(confirmLink({ secret: guess ?? "", password })).rejects.toMatchObject(expired);
  }
  expect(await countUsers(email)).toBe(0);
});

test("whatever is asked for and guessed, in whatever order, no sign-up is a person before its own link is followed", async () => {
  const step = fc.oneof(
    fc.constant({ does: "asks" as const }),
    fc.constant({ does: "forgets" as const }),
    fc.constant({ does: "mails" as const }),
    fc.record({ does: fc.constant("guesses" as const), cut: fc.integer({ min: 0, max: 42 }), by: fc.string() }),
  );
  const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 6 }), async (steps) => {
    const body = read();
    const { email, password } = body;
    for (const taken of steps) {
      if (taken.does === "asks") await ask(body);
      if (taken.does === "forgets") await forgotPassword({ email, ip: someIp() });
      if (taken.does === "mails") await linkMailedTo(email);
      if (taken.does !== "guesses") continue;
      const secret = `${(await linkMailedTo(email))?.slice(0, taken.cut) ?? ""}${taken.by}`;
      await expect(confirmLink({ secret, password })).rejects.toMatchObject(expired);
      await expect(resetPassword({ secret, password })).rejects.toMatchObject(expired);
    }
    expect(await countUsers(email)).toBe(0);
    expect(await prisma().membership.count({ where: { user: { email } } })).toBe(0);
    await ask(body);
    const own = await linkMailedTo(email);
    if (own) await confirmLink({ secret: own, password });
    expect(await countUsers(email)).toBe(own ? 1 : 0);
  });
  await fc.assert(property, { numRuns: 12 });
});

test("the owner of an address who follows the link of another's sign-up opens no account with that password", async () => {
  const body = read();
  const secret = await signedUp(body);
  const attempt = confirmLink({ secret, password: "a frase do dono do endereço" });
  await expect(attempt).rejects.toMatchObject({ options: { faults: { password: [expect.any(String)] } } });
  expect(await countUsers(body.email)).toBe(0);
  await confirmLink({ secret, password: body.password });
  expect(await countUsers(body.email)).toBe(1);
});

test("a link's password may be tried ten times a minute", async () => {
  const body = read();
  const secret = await signedUp(body);
  const tries = Array.from({ length: 12 }, () => confirmLink({ secret, password: "a frase de outra pessoa" }));
  const codes = (await Promise.allSettled(tries)).map((tried) => tried.status === "rejected" && tried.reason.code);
  expect(codes.filter((code) => code === "validation_failed")).toHaveLength(10);
  expect(codes.filter((code) => code === "rate_limit_exceeded")).toHaveLength(2);
});

test("a link works once; of two sign-ups of an address one makes the account, in whatever order their links are followed", async () => {
  const body = read();
  const other = read({ email: body.email.toUpperCase(), password: "outra frase só minha" });
  const [first, second] = [await signedUp(body), await signedUp(other)];
  const race = await Promise.allSettled([
    confirmLink({ secret: first, password: body.password }),
    confirmLink({ secret: first, password: body.password }),
    confirmLink({ secret: second, password: other.password }),
    confirmLink({ secret: second, password: other.password }),
  ]);
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of race) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(expired);
  expect(await countUsers(body.email)).toBe(1);
  expect(await prisma().membership.count({ where: { user: { email: body.email } } })).toBe(1);
  expect(await prisma().mailLink.count({ where: { email: body.email } })).toBe(0);
});

test("a link opens for 24 hours", async () => {
  const body = read();
  const secret = await signedUp(body);
  const [link] = await prisma().mailLink.findMany({ where: { email: body.email } });
  expect(Number(link?.expiresAt) - Date.now()).toBeGreaterThan(86_300_000);
  expect(Number(link?.expiresAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
  await prisma().mailLink.updateMany({ where: { email: body.email }, data: { expiresAt: new Date() } });
  await expect(confirmLink({ secret, password: body.password })).rejects.toMatchObject(expired);
  expect(await countUsers(body.email)).toBe(0);
});

describe("a known address", () => {
  test("gets the answer of an unknown one, keeps nothing of the sign-up, and its owner one mail an hour", async () => {
    const { email } = await makeAccount();
    const user = await prisma().user.findUniqueOrThrow({ where: { email } });
    const answers = [await ask(read({ email })), await ask(read({ email: email.toUpperCase() })), await ask(read())];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(await linkMailedTo(email)).toBeUndefined();
    const letters = await lettersTo(email);
    expect(letters).toMatchObject([{ template: "address_already_known", name: user.name }]);
    const empty = { linkHash: null, passwordHash: null, company: null, document: null, name: null };
    expect(await prisma().mailLink.findMany({ where: { email } })).toMatchObject([empty, empty]);
    expect(await prisma().user.findUniqueOrThrow({ where: { email } })).toEqual(user);
  });

  test("made known between the mail and its link is refused to whoever follows the link", async () => {
    const body = read();
    const secret = await signedUp(body);
    await signUp({ ...body, ip: someIp(), isInvited: true });
    const attempt = confirmLink({ secret, password: body.password });
    await expect(attempt).rejects.toMatchObject({ code: "email_taken" });
  });
});

test("a network asks for three links of an address a day, and all networks for ten, also at once", async () => {
  const { ofAll, ofNetwork } = linkKinds.sign_up;
  const body = read();
  const here = someIp();
  await Promise.all(Array.from({ length: ofNetwork + 2 }, () => ask(body, here)));
  await linkMailedTo(body.email);
  expect(await templatesTo(body.email)).toHaveLength(ofNetwork);
  for (let more = 0; more < ofAll; more += 1) await ask(body);
  const secret = await linkMailedTo(body.email);
  expect(await templatesTo(body.email)).toEqual(Array.from({ length: ofAll }, () => "confirm_address"));
  expect(await confirmLink({ secret: secret ?? "", password: body.password })).toBeTruthy();
});

test("who was invited has the account at once and a mail that confirms the address, and then learns that it is taken", async () => {
  const body = read();
  const invited = () => signUp({ ...body, ip: someIp(), isInvited: true });
  const race = await Promise.allSettled([invited(), invited()]);
  expect(race.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await expect(invited()).rejects.toMatchObject({ code: "email_taken" });
  const user = await prisma().user.findUniqueOrThrow({ where: { email: body.email } });
  expect(user.emailConfirmedAt).toBeNull();
  const secret = (await linkMailedTo(body.email)) ?? "";
  expect(await templatesTo(body.email)).toEqual(["confirm_address"]);
  await confirmLink({ secret, password: body.password });
  const confirmed = await prisma().user.findUniqueOrThrow({ where: { email: body.email } });
  expect(confirmed.emailConfirmedAt).not.toBeNull();
});

test("a common password is refused at its field, and nothing is kept", async () => {
  const body = read({ password: "Senha1234567" });
  for (const isInvited of [false, true]) {
    await expect(signUp({ ...body, ip: someIp(), isInvited })).rejects.toMatchObject({
      options: { faults: { password: [expect.any(String)] } },
    });
  }
  expect(await countUsers(body.email)).toBe(0);
  expect(await prisma().mailLink.count({ where: { email: body.email } })).toBe(0);
});

describe("a form is refused", () => {
  test.each([
    ["company", { company: " A " }],
    ["document", { document: "11222333000182" }],
    ["document", { document: "" }],
    ["name", { name: "" }],
    ["email", { email: "nobody" }],
    ["password", { password: "elevenchars" }],
    ["password", { password: "x".repeat(201) }],
    ["locale", { locale: "fr" }],
    ["invite", { invite: "x".repeat(65) }],
  ])("at %s for %j", (field, changes) => {
    const { error } = SignUpBody.safeParse(form(changes));
    expect([...new Set(error?.issues.map(({ path }) => path.join(".")))]).toEqual([field]);
  });

  test("sign-up makes only owners of sellers", () => {
    const body = SignUpBody.parse(
      form({ staffRoles: allStaffRoles, features: ["cards"], status: "approved", role: "admin" }),
    );
    expect(Object.keys(body).sort()).toEqual(["company", "document", "email", "name", "password"]);
  });
});
