import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { lettersTo, linkMailedTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { createOperator } from "@/lib/users/create-operator";
import { forgotPassword } from "@/lib/users/forgot-password";
import { linkKinds } from "@/lib/users/links";
import { resetPassword } from "@/lib/users/reset-password";
import { signIn } from "@/lib/users/sign-in";

const someIp = () => [10, ...randomBytes(3)].join(".");
const OLD = "uma senha antiga";
const NEW = "chuva miúda no telhado";
const expired = { code: "link_expired" };

async function makePerson() {
  const made = await makeAccount({ isProven: false });
  await prisma().user.update({ where: { email: made.email }, data: { passwordHash: await hash(OLD) } });
  return made;
}

const attempt = (email: string, password: string) => signIn({ email, password, ip: someIp(), userAgent: "" });
const userOf = (email: string) => prisma().user.findUniqueOrThrow({ where: { email } });

async function forgotten(email: string) {
  await forgotPassword({ email, ip: someIp() });
  return (await linkMailedTo(email)) ?? "";
}

test("a link sets a new password once, ends each session, proves the address, is told by mail, and ends no token", async () => {
  const { email, clientId } = await makePerson();
  const sessions = [await attempt(email, OLD), await attempt(email, OLD)];
  const secret = await forgotten(email);
  expect(await resetPassword({ secret, password: NEW })).toMatchObject({ email });

  const { id: userId, emailConfirmedAt } = await userOf(email);
  expect(emailConfirmedAt).not.toBeNull();
  expect(sessions.every(Boolean)).toBe(true);
  expect(await prisma().session.count({ where: { userId, revokedAt: null } })).toBe(0);
  expect([await attempt(email, OLD), await attempt(email, NEW)]).toEqual([null, expect.any(Object)]);
  expect((await lettersTo(email)).map(({ template }) => template)).toEqual(["reset_password", "password_changed"]);
  expect(await prisma().accessToken.count({ where: { clientId } })).toBe(1);

  await expect(resetPassword({ secret, password: "outra frase só minha" })).rejects.toMatchObject(expired);
  expect(await attempt(email, NEW)).toBeTruthy();
});

test("of two who use a link at once one sets the password", async () => {
  const { email } = await makePerson();
  const secret = await forgotten(email);
  const passwords = [NEW, "outra frase só minha", "mais uma frase minha"];
  const race = await Promise.allSettled(passwords.map((password) => resetPassword({ secret, password })));
  const won = race.findIndex(({ status }) => status === "fulfilled");
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of race) if (outcome.status === "rejected") expect(outcome.reason).toMatchObject(expired);
  for (const [at, password] of passwords.entries()) expect((await attempt(email, password)) !== null).toBe(at === won);
});

test("a sign-in with the old password that is under way opens no session that outlives the new one", async () => {
  const { email } = await makePerson();
  const secret = await forgotten(email);
  const entering = Array.from({ length: 6 }, () => attempt(email, OLD));
  await resetPassword({ secret, password: NEW });
  await Promise.all(entering);
  const { id: userId } = await userOf(email);
  expect(await prisma().session.count({ where: { userId, revokedAt: null } })).toBe(0);
});

test("a link opens for 30 minutes, and a newer one ends those before it", async () => {
  const { email } = await makePerson();
  const [first, second] = [await forgotten(email), await forgotten(email)];
  expect(first).not.toBe(second);
  await expect(resetPassword({ secret: first, password: NEW })).rejects.toMatchObject(expired);
  const [link] = await prisma().mailLink.findMany({ where: { email, linkHash: { not: null } } });
  expect(Number(link?.expiresAt) - Date.now()).toBeGreaterThan(29 * 60_000);
  expect(Number(link?.expiresAt) - Date.now()).toBeLessThanOrEqual(30 * 60_000);
  await prisma().mailLink.updateMany({ where: { email }, data: { expiresAt: new Date() } });
  await expect(resetPassword({ secret: second, password: NEW })).rejects.toMatchObject(expired);
  await expect(resetPassword({ secret: newSecret(), password: NEW })).rejects.toMatchObject(expired);
  expect(await attempt(email, OLD)).toBeTruthy();
});

test("who asks too often for an address is sent no more, and the last link that was sent opens", async () => {
  const { email } = await makePerson();
  const { ofAll, minutes, perMinutes } = linkKinds.reset_password;
  expect(perMinutes).toBeLessThanOrEqual(minutes);
  await Promise.all(Array.from({ length: ofAll + 4 }, () => forgotPassword({ email, ip: someIp() })));
  await linkMailedTo(email);
  expect(await prisma().mailLink.count({ where: { email } })).toBe(ofAll);
  expect((await lettersTo(email)).length).toBeLessThanOrEqual(ofAll);
  const secret = (await linkMailedTo(email)) ?? "";
  await forgotPassword({ email, ip: someIp() });
  expect(await linkMailedTo(email)).toBe(secret);
  await resetPassword({ secret, password: NEW });
});

test("an unknown address is sent nothing and keeps nothing but the row that counts", async () => {
  const email = `${newId()}@example.com`;
  expect(await forgotten(email)).toBe("");
  expect(await lettersTo(email)).toEqual([]);
  expect(await prisma().mailLink.findMany({ where: { email } })).toMatchObject([{ linkHash: null, mailDueAt: null }]);
});

test("a common password is refused at its field, and the link still opens", async () => {
  const { email } = await makePerson();
  const secret = await forgotten(email);
  await expect(resetPassword({ secret, password: "Senha1234567" })).rejects.toMatchObject({
    options: { faults: { password: [expect.any(String)] } },
  });
  await resetPassword({ secret, password: NEW });
});

test("a link to confirm an address sets no password", async () => {
  const { email } = await makePerson();
  const { askConfirmation } = await import("@/lib/users/ask-confirmation");
  await askConfirmation({ userId: (await userOf(email)).id, ip: someIp() });
  const secret = (await linkMailedTo(email)) ?? "";
  expect(secret).toHaveLength(43);
  await expect(resetPassword({ secret, password: NEW })).rejects.toMatchObject(expired);
});

test("a person of the staff resets too", async () => {
  const email = `${newId()}@example.com`;
  await createOperator({ email, name: "Op", password: OLD });
  await resetPassword({ secret: await forgotten(email), password: NEW });
  expect([await attempt(email, OLD), await attempt(email, NEW)]).toEqual([null, expect.any(Object)]);
});
