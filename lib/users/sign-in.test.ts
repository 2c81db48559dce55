import { randomBytes } from "node:crypto";
import { hash } from "@node-rs/argon2";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { Realm } from "@/lib/auth/session-cookie";
import { forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { createSeller } from "@/lib/sellers/create";
import { aStaffPerson } from "@/lib/testing/staff";
import { SESSION_LIFETIME_MS, signIn, slowness } from "@/lib/users/sign-in";
import { signOut } from "@/lib/users/sign-out";

const PASSWORD = "uma frase só minha";

const { heldMs } = slowness;
beforeEach(() => void Object.assign(slowness, { heldMs: [0] }));
afterAll(() => void Object.assign(slowness, { heldMs }));

/** An address that no other test signs in from. */
const someIp = () => [10, ...randomBytes(3)].join(".");

async function makePerson() {
  const email = `${newId()}@example.com`;
  const person = { name: "Ana", email, passwordHash: await hash(PASSWORD) };
  return { email, ...(await createSeller({ company: "Loja", document: "11222333000181", person })) };
}

const attempt = (email: string, password: string, ip = someIp()) =>
  signIn({ email, password, ip, userAgent: "a browser" });

const sessionOf = (id: string | undefined) => prisma().session.findUniqueOrThrow({ where: { id: id ?? "" } });

test("the right password opens a session of 12 hours, at the sandbox until the live account is approved", async () => {
  const { email, userId, liveId, sandboxId } = await makePerson();
  const first = await attempt(email, PASSWORD, "10.1.2.3");
  expect(first).toMatchObject({ userId, email, name: "Ana" });
  const session = await sessionOf(first?.sessionId);
  expect(session).toMatchObject({ accountId: sandboxId, ip: "10.1.2.3", userAgent: "a browser", revokedAt: null });
  expect(Number(session.expiresAt) - Number(session.createdAt)).toBeGreaterThan(SESSION_LIFETIME_MS - 60_000);
  expect(Number(session.expiresAt) - Number(session.createdAt)).toBeLessThanOrEqual(SESSION_LIFETIME_MS + 1_000);

  await forAccount(liveId, (tx) => tx.account.update({ where: { id: liveId }, data: { status: "approved" } }));
  const second = await attempt(email.toUpperCase(), PASSWORD);
  expect(second?.sessionId).not.toBe(first?.sessionId);
  expect(await sessionOf(second?.sessionId)).toMatchObject({ accountId: liveId });
});

test("a wrong password, no password and an unknown e-mail get the same answer and no session", async () => {
  const { email, userId } = await makePerson();
  const answers = [
    await attempt(email, `${PASSWORD}.`),
    await attempt(email, ""),
    await attempt(email, PASSWORD.toUpperCase()),
    await attempt(`${newId()}@example.com`, PASSWORD),
    await attempt("", ""),
  ];
  expect(answers).toEqual([null, null, null, null, null]);
  expect(await prisma().session.count({ where: { userId } })).toBe(0);
});

test("a person of the staff is unknown at the sellers' sign-in, and a seller's at the staff's, as any unknown e-mail", async () => {
  const { email, userId } = await makePerson();
  const staff = await aStaffPerson();
  await prisma().user.update({ where: { id: staff.userId }, data: { passwordHash: await hash(PASSWORD) } });
  const at = (realm: Realm, email: string) =>
    signIn({ realm, email, password: PASSWORD, ip: someIp(), userAgent: "a browser" });
  expect([await at("staff", email), await at("seller", staff.email)]).toEqual([null, null]);
  expect(await prisma().session.count({ where: { userId: { in: [userId] } } })).toBe(0);
  expect([await at("seller", email), await at("staff", staff.email)]).toMatchObject([
    { userId },
    { userId: staff.userId },
  ]);
});

test("an unknown e-mail takes as long as a wrong password", async () => {
  const { email } = await makePerson();
  await attempt(email, "warm"); // the hash that stands for unknown e-mails is made at the first attempt
  await attempt(`${newId()}@example.com`, "warm");
  const timeOf = async (address: string) => {
    const started = process.cpuUsage();
    await attempt(address, "wrong");
    const { user } = process.cpuUsage(started);
    return user;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    known.push(await timeOf(email));
    unknown.push(await timeOf(`${newId()}@example.com`));
  }
  const middle = (times: number[]) => times.toSorted((a, b) => a - b)[2] ?? 0;
  // Processor time, so that a busy machine does not blur it: without the hash it would be a twentieth.
  expect(middle(unknown)).toBeGreaterThan(middle(known) / 4);
});

test("an address gets ten attempts a minute for an e-mail in any spelling, and thirty in all", async () => {
  const { email } = await makePerson();
  const spellings = [email, email.toUpperCase()];
  const here = someIp();
  const race = await Promise.allSettled(
    Array.from({ length: 14 }, (_, at) => attempt(spellings[at % 2] ?? "", "wrong password", here)),
  );
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
  await expect(attempt(email, PASSWORD, here)).rejects.toMatchObject({ code: "rate_limit_exceeded" });
  expect(await attempt(email, PASSWORD), "the guesses of others lock nobody out").toBeTruthy();

  const ip = someIp();
  const others = await Promise.allSettled(
    Array.from({ length: 33 }, () => attempt(`${newId()}@example.com`, "wrong password", ip)),
  );
  expect(others.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
});

test("each further attempt of a minute is delayed longer, whatever its e-mail, and none longer than 5 s", async () => {
  expect([heldMs.toSorted((a, b) => a - b), heldMs[0], heldMs.at(-1)]).toEqual([heldMs, 0, 5_000]);
  Object.assign(slowness, { heldMs: [0, 150, 300] });
  const { email } = await makePerson();
  for (const name of [email, `${newId()}@example.com`]) {
    const ip = someIp();
    const tookMs: number[] = [];
    for (const spelled of [name, name.toUpperCase(), name, name]) {
      const started = performance.now();
      await attempt(spelled, "wrong", ip);
      tookMs.push(Math.ceil(performance.now() - started));
    }
    for (const [nth, least] of [0, 149, 299, 299].entries()) expect(tookMs[nth]).toBeGreaterThanOrEqual(least);
  }
});

test("a delay at one address delays neither that e-mail elsewhere nor other e-mails there", async () => {
  Object.assign(slowness, { heldMs: [0, 3_600_000] });
  const [{ email }, other, ip] = [await makePerson(), await makePerson(), someIp()];
  await attempt(email, "wrong", ip);
  const held = attempt(email, PASSWORD, ip).then(() => "let in");
  expect(await attempt(email, PASSWORD)).toBeTruthy();
  expect(await attempt(other.email, PASSWORD, ip)).toBeTruthy();
  expect(await Promise.race([held, new Promise((resolve) => setImmediate(resolve, "held"))])).toBe("held");
});

test("signing out ends only that session, and may be done twice", async () => {
  const { email } = await makePerson();
  const [one, other] = [await attempt(email, PASSWORD), await attempt(email, PASSWORD)];
  await signOut(one?.sessionId ?? "");
  const { revokedAt } = await sessionOf(one?.sessionId);
  await signOut(one?.sessionId ?? "");
  expect(revokedAt).not.toBeNull();
  expect(await sessionOf(one?.sessionId)).toMatchObject({ revokedAt });
  expect(await sessionOf(other?.sessionId)).toMatchObject({ revokedAt: null });
});
