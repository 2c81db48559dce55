import { encode } from "next-auth/jwt";
import { beforeEach, expect, test, vi } from "vitest";
import { readPageSession, readStaff, requireAccount, requireStaff } from "@/lib/auth/session";
import { type Realm, sessionCookieName } from "@/lib/auth/session-cookie";
import { forAccount, prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aStaffPerson } from "@/lib/testing/staff";
import type { Role } from "@/prisma/client/enums";

/** What Next knows of the request for which a page is rendered. */
const request = vi.hoisted(() => ({ cookies: new Map<string, { value: string }>(), headers: new Headers() }));
vi.mock("next/headers", () => ({ cookies: async () => request.cookies, headers: async () => request.headers }));

beforeEach(() => {
  request.cookies.clear();
  request.headers.set("x-path", "/webhooks");
});

/** Begins a session of this person, whose cookie the requests from now on have; `changes` are its columns. */
async function signIn(userId: string, changes: object = {}, realm: Realm = "seller") {
  const session = { id: newId(), userId, ip: "::1", userAgent: "", expiresAt: new Date(Date.now() + 3_600_000) };
  await prisma().session.create({ data: { ...session, ...changes } });
  const value = await encode({ token: { sid: session.id }, secret: env.SESSION_SECRET });
  request.cookies.set(sessionCookieName(realm), { value });
}

/** The person of a seller, in this role. */
async function personOf({ accountId }: Made, role: Role = "owner"): Promise<string> {
  const where = { OR: [{ accountId }, { sandboxId: accountId }] };
  await prisma().membership.updateMany({ where, data: { role } });
  return (await prisma().membership.findFirstOrThrow({ where })).userId;
}

const of = (account: string) => Promise.resolve({ account });
const NOT_FOUND = { digest: "NEXT_HTTP_ERROR_FALLBACK;404" };
const TO_SIGN_IN = { digest: expect.stringContaining(";/sign-in?next=%2Fwebhooks;") };

/** How a session ends: it is signed out, its time is over, or it was idle. */
const ends = [
  { revokedAt: new Date() },
  { expiresAt: new Date(Date.now() - 1) },
  { lastSeenAt: new Date(Date.now() - 31 * 60_000) },
];

test("a page shows an account to a person of it while the session lives, and to nobody else", async () => {
  const [mine, theirs] = [await makeAccount(), await makeAccount()];
  const person = await personOf(mine);
  expect(await readPageSession(mine.accountId)).toBeNull();
  await signIn(person);
  expect(await readPageSession(mine.accountId)).toMatchObject({ account: { id: mine.accountId }, role: "owner" });
  for (const id of [theirs.accountId, newId(), "x"]) expect(await readPageSession(id), id).toBeNull();
  await expect(requireAccount(of(theirs.accountId))).rejects.toMatchObject(NOT_FOUND);
  for (const end of ends) {
    await signIn(person, end);
    expect(await readPageSession(mine.accountId), Object.keys(end).join()).toBeNull();
    await expect(requireAccount(of(mine.accountId))).rejects.toMatchObject(TO_SIGN_IN);
  }
});

test("a page is not found by a role without its scope, nor in an account without its feature", async () => {
  const seller = await makeAccount({ features: ["refunds"] });
  const page = of(seller.accountId);
  await signIn(await personOf(seller, "viewer"));
  expect(await requireAccount(page, "webhooks:read", "refunds")).toMatchObject({ role: "viewer" });
  await expect(requireAccount(page, "webhooks:write")).rejects.toMatchObject(NOT_FOUND);
  await expect(requireAccount(page, "webhooks:read", "cards")).rejects.toMatchObject(NOT_FOUND);
});

test("the console is of the operator's staff alone, while their session lives and has proved the second factor", async () => {
  request.headers.set("x-path", "/operator/refunds");
  const toConsole = { digest: expect.stringContaining(";/operator/sign-in?next=%2Foperator%2Frefunds;") };
  const seller = await makeAccount();
  const person = await personOf(seller);
  await expect(requireStaff()).rejects.toMatchObject(toConsole);
  for (const realm of ["seller", "staff"] as const) {
    await signIn(person, {}, realm);
    expect(await readStaff(), "a seller's session stands for no staff one").toBeNull();
  }
  await expect(requireStaff()).rejects.toMatchObject(toConsole);
  const { userId: staff } = await aStaffPerson();
  const proved = { secondFactorAt: new Date() };
  await signIn(staff, proved, "seller");
  expect(await readStaff(), "nor does a staff session in a seller's cookie").toBeNull();
  await signIn(person, {}, "seller");
  await signIn(staff, proved, "staff");
  expect(await requireStaff()).toMatchObject({ id: staff });
  expect(await readPageSession(seller.accountId), "both live side by side").toMatchObject({ user: { id: person } });
  for (const end of ends) {
    await signIn(staff, { ...proved, ...end }, "staff");
    expect(await readStaff(), Object.keys(end).join()).toBeNull();
    await expect(requireStaff()).rejects.toMatchObject(toConsole);
  }
  await signIn(staff, {}, "staff");
  await expect(requireStaff()).rejects.toMatchObject({ digest: expect.stringContaining(";/operator/security;") });
});

test("a person without an account is led to the choice of one, and a visitor to sign in", async () => {
  const made = await makeAccount();
  const page = of(made.accountId);
  const to = (path: string) => ({ digest: expect.stringContaining(`;${path};`) });
  await expect(requireAccount(page)).rejects.toMatchObject(TO_SIGN_IN);
  const person = await personOf(made);
  await prisma().membership.deleteMany({ where: { userId: person } });
  await signIn(person);
  await expect(requireAccount(page)).rejects.toMatchObject(to("/accounts"));
});

test("a page says what waits in its account that its person did not ask for, until it lapses", async () => {
  const { accountId } = await makeAccount();
  const person = (await prisma().membership.findFirstOrThrow({ where: { sandboxId: accountId } })).userId;
  const ask = (askedBy: string, lapsesInMs: number) =>
    forAccount(accountId, (tx) =>
      tx.approval.create({
        data: {
          ...{ id: newId(), accountId, kind: "refund", subjectId: newId(), asked: {}, askedBy },
          lapsesAt: new Date(Date.now() + lapsesInMs),
        },
      }),
    );
  await ask(newId(), 60_000);
  await ask(newId(), -1);
  await ask(person, 60_000);
  await signIn(person);
  expect((await readPageSession(accountId))?.waiting).toEqual(["refund"]);
});
