import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { SignUpBody } from "@/lib/accounts/schema";
import { forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
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

test("a new seller's live account is pending without features, and its sandbox account has them all", async () => {
  const body = read();
  expect(await signUp(body)).toEqual({ message: expect.any(String) });

  const session = await signIn({ email: body.email, password: body.password, ip: someIp(), userAgent: "" });
  const [membership] = await prisma().membership.findMany({ where: { userId: session?.userId ?? "" } });
  if (!membership) throw new Error("a person without a seller");
  const { accountId, sandboxId, role } = membership;
  expect(role).toBe("owner");
  const accounts = await forAccount([accountId, sandboxId], (tx) => tx.account.findMany({ orderBy: { mode: "asc" } }));
  const both = { name: "Padaria São João", document: "11222333000181", email: body.email };
  const every = ["cards", "refunds", "recurring", "cash_out"];
  expect(accounts).toMatchObject([
    { ...both, id: accountId, mode: "live", status: "pending", twinId: null, features: [] },
    { ...both, id: sandboxId, mode: "sandbox", status: "approved", twinId: accountId, features: every },
  ]);
  const { passwordHash } = await prisma().user.findUniqueOrThrow({ where: { email: body.email } });
  expect(passwordHash).toMatch(/^\$argon2id\$/);
});

test("an e-mail in use is refused in any spelling, and of two sign-ups at once one succeeds", async () => {
  const body = read();
  const again = read({ email: body.email.toUpperCase() });
  const race = await Promise.allSettled([signUp(body), signUp(again), signUp(again)]);
  expect(race.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const outcome of race) {
    if (outcome.status === "rejected") expect(outcome.reason).toMatchObject({ code: "email_taken" });
  }
  expect(await prisma().user.count({ where: { email: body.email } })).toBe(1);
  expect(await prisma().membership.count({ where: { user: { email: body.email } } })).toBe(1);
});

test("a common password is refused at its field, and no person is made", async () => {
  const body = read({ password: "Senha1234567" });
  await expect(signUp(body)).rejects.toMatchObject({
    options: { faults: { password: [expect.any(String)] } },
  });
  expect(await prisma().user.count({ where: { email: body.email } })).toBe(0);
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
  ])("at %s for %j", (field, changes) => {
    const { error } = SignUpBody.safeParse(form(changes));
    expect([...new Set(error?.issues.map(({ path }) => path.join(".")))]).toEqual([field]);
  });

  test("sign-up makes only owners of sellers", () => {
    const body = SignUpBody.parse(form({ operator: true, features: ["cards"], status: "approved", role: "admin" }));
    expect(Object.keys(body).sort()).toEqual(["company", "document", "email", "name", "password"]);
  });
});
