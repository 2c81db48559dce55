import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { createSeller } from "@/lib/sellers/create";
import { allStaffRoles } from "@/lib/testing/staff";
import { createOperator } from "@/lib/users/create-operator";
import { signIn } from "@/lib/users/sign-in";

const OLD = "uma senha antiga";
const NEW = "uma senha nova";

const attempt = (email: string, password: string) =>
  signIn({ realm: "staff", email, password, ip: [10, ...randomBytes(3)].join("."), userAgent: "a browser" });

const findUser = (email: string) => prisma().user.findUniqueOrThrow({ where: { email: email.toLowerCase() } });

test("an operator belongs to no seller, and needs a password that is not easy to guess", async () => {
  const email = `${newId()}@Example.com`;
  await expect(createOperator({ email, name: "Op", password: "short" })).rejects.toThrow("12 characters");
  await createOperator({ email, name: "Op", password: OLD });
  const session = await attempt(email, OLD);
  expect(session).toMatchObject({ name: "Op", email: email.toLowerCase() });
  const where = { id: session?.sessionId ?? "" };
  expect(await prisma().session.findUniqueOrThrow({ where })).toMatchObject({ accountId: null });
  expect(await findUser(email)).toMatchObject({ staffRoles: allStaffRoles });
});

test("an operator's password changes only with resetPassword", async () => {
  const email = `${newId()}@Example.com`;
  await createOperator({ email, name: "Op", password: OLD });
  const again = { email, name: "Operação", password: NEW };
  await expect(createOperator(again)).rejects.toThrow("OPERATOR_RESET_PASSWORD=1");
  expect(await attempt(email, NEW)).toBeNull();
  expect(await attempt(email, OLD)).toMatchObject({ name: "Op" });

  await createOperator({ ...again, resetPassword: true });
  expect(await attempt(email, OLD)).toBeNull();
  expect(await attempt(email, NEW)).toMatchObject({ name: "Operação" });
});

test("a seller's person never becomes an operator", async () => {
  const email = `${newId()}@example.com`;
  const person = { name: "Ana", email, passwordHash: "none" };
  await createSeller({ company: "Loja", document: "11222333000181", person });
  const before = await findUser(email);
  for (const resetPassword of [false, true]) {
    const made = createOperator({ email: email.toUpperCase(), name: "Op", password: NEW, resetPassword });
    await expect(made).rejects.toThrow("is a seller's");
  }
  expect(await findUser(email)).toEqual(before);
});
