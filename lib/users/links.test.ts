import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { expect, test } from "vitest";
import { asSystem, prisma } from "@/lib/db";
import { newId, newSecret } from "@/lib/ids";
import { lettersTo, linkMailedTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { askConfirmation } from "@/lib/users/ask-confirmation";
import { confirmLink, confirmOwnAddress, confirmsAddressOf } from "@/lib/users/confirm";
import { forgotPassword } from "@/lib/users/forgot-password";
import { writeLinkMails } from "@/lib/users/link-mails";
import { linkKinds } from "@/lib/users/links";
import { signIn } from "@/lib/users/sign-in";
import { signUp } from "@/lib/users/sign-up";

const someIp = () => [10, ...randomBytes(3)].join(".");
const PASSWORD = "uma frase só minha";
const expired = { code: "link_expired" };

/** A person whose address is not confirmed. */
async function makeUnconfirmed() {
  const { email } = await makeAccount({ isProven: false });
  const data = { passwordHash: await hash(PASSWORD) };
  const { id } = await prisma().user.update({ where: { email }, data });
  return { id, email };
}

const confirmedAt = async (email: string) =>
  (await prisma().user.findUniqueOrThrow({ where: { email } })).emailConfirmedAt;

async function linkFor({ id, email }: { id: string; email: string }) {
  await askConfirmation({ userId: id, ip: someIp() });
  return (await linkMailedTo(email)) ?? "";
}

/** The rows of links as they were asked for, without what is different in each. */
const rowsOf = async (email: string) => {
  const rows = await prisma().mailLink.findMany({ where: { email }, orderBy: { id: "asc" } });
  return rows.map(({ id, email, askedFrom, passwordHash, createdAt, mailDueAt, ...row }) => ({
    ...row,
    isHashed: passwordHash?.length,
    isDue: mailDueAt !== null,
  }));
};

test("asking reads nothing of persons: it is answered while nobody can read their table, and writes the same rows", async () => {
  const known = await makeUnconfirmed();
  const emails = [known.email, `${newId()}@example.com`];
  const company = { company: "Loja", document: "11222333000181", name: "Ana" };
  const rows = await connected(ownerUrl(), async (owner) => {
    await owner.query("begin");
    await owner.query("lock table users in access exclusive mode");
    const answers: unknown[] = [];
    for (const email of emails) {
      answers.push(await signUp({ ...company, email, password: PASSWORD, ip: someIp(), isInvited: false }));
      answers.push(await forgotPassword({ email, ip: someIp() }));
    }
    expect(answers.slice(0, 2)).toEqual(answers.slice(2));
    const asked = await Promise.all(emails.map(rowsOf));
    await owner.query("rollback");
    return asked;
  });
  expect(rows[0]).toHaveLength(2);
  expect(rows[0]).toEqual(rows[1]);
});

test("the link that confirms an address asks for the person's password, and works once", async () => {
  const person = await makeUnconfirmed();
  const secret = await linkFor(person);
  expect(await lettersTo(person.email)).toMatchObject([{ template: "confirm_address", name: "Teste" }]);
  await expect(confirmLink({ secret, password: "outra frase qualquer" })).rejects.toMatchObject({
    code: "validation_failed",
  });
  expect(await confirmedAt(person.email)).toBeNull();
  const race = await Promise.allSettled([1, 2].map(() => confirmLink({ secret, password: PASSWORD })));
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await confirmedAt(person.email)).not.toBeNull();
  await expect(confirmLink({ secret, password: PASSWORD })).rejects.toMatchObject(expired);
});

test("the session of the link's person needs no password, and no other session can use the link", async () => {
  const [person, other] = [await makeUnconfirmed(), await makeUnconfirmed()];
  const secret = await linkFor(person);
  expect([await confirmsAddressOf(person.email, secret), await confirmsAddressOf(other.email, secret)]).toEqual([
    true,
    false,
  ]);
  expect(await confirmsAddressOf(person.email, newSecret())).toBe(false);
  await expect(confirmOwnAddress({ userId: other.id, secret })).rejects.toMatchObject(expired);
  await expect(confirmOwnAddress({ userId: newId(), secret })).rejects.toMatchObject(expired);
  const race = await Promise.allSettled([1, 2].map(() => confirmOwnAddress({ userId: person.id, secret })));
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await confirmedAt(person.email)).not.toBeNull();
  expect(await confirmedAt(other.email)).toBeNull();
});

test("a confirmed person, and a program, are sent no link", async () => {
  const { email } = await makeAccount();
  const { id } = await prisma().user.findUniqueOrThrow({ where: { email } });
  await askConfirmation({ userId: id, ip: someIp() });
  await askConfirmation({ userId: newId(), ip: someIp() });
  expect(await linkMailedTo(email)).toBeUndefined();
  expect(await prisma().mailLink.count({ where: { email } })).toBe(0);
});

test("five links an hour confirm an address, and each of them opens", async () => {
  const person = await makeUnconfirmed();
  const { ofAll } = linkKinds.confirm_address;
  const first = await linkFor(person);
  await Promise.all(Array.from({ length: ofAll + 3 }, () => askConfirmation({ userId: person.id, ip: someIp() })));
  await linkMailedTo(person.email);
  expect(await lettersTo(person.email)).toHaveLength(ofAll);
  await confirmOwnAddress({ userId: person.id, secret: first });
});

test("two workers that write at once write each mail once", async () => {
  const emails = Array.from({ length: 8 }, () => `${newId()}@example.com`);
  await Promise.all(
    emails.map((email) =>
      signUp({
        company: "Loja",
        document: "11222333000181",
        name: "Ana",
        email,
        password: PASSWORD,
        ip: someIp(),
        isInvited: false,
      }),
    ),
  );
  await Promise.all([writeLinkMails(), writeLinkMails(), writeLinkMails()]);
  for (const email of emails) {
    await linkMailedTo(email);
    expect(await lettersTo(email)).toHaveLength(1);
  }
});

test("a batch that fails leaves every mail due", async () => {
  const email = `${newId()}@example.com`;
  await forgotPassword({ email, ip: someIp() });
  await asSystem(async (tx) => {
    await tx.$executeRaw`select from mail_links where email = ${email} for update`;
    await writeLinkMails(); // it passes over what another worker has
    expect(await tx.mailLink.count({ where: { email, mailDueAt: { not: null } } })).toBe(1);
  });
  expect(await linkMailedTo(email)).toBeUndefined();
  expect(await prisma().mailLink.count({ where: { email, mailDueAt: null } })).toBe(1);
});

test("the language of the page is kept at sign-in, and stays where the visitor chose none", async () => {
  const { email } = await makeUnconfirmed();
  const enter = (locale: "en" | null) => signIn({ email, password: PASSWORD, ip: someIp(), userAgent: "", locale });
  const localeNow = async () => (await prisma().user.findUniqueOrThrow({ where: { email } })).locale;
  expect(await enter(null)).toBeTruthy();
  expect(await localeNow()).toBe("pt-BR");
  expect(await enter("en")).toBeTruthy();
  expect(await localeNow()).toBe("en");
  expect(await enter(null)).toBeTruthy();
  expect(await localeNow()).toBe("en");
});
