import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount, prisma } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { cookieOf } from "@/lib/testing/staff";
import type { Role } from "@/prisma/client/enums";

const host = openHost(routes);
const DATA = "/api/dashboard/v1/customer-data";
const person = "ana@example.com";

async function signedIn({ accountId }: Made, role: Role, isSteppedUp = true) {
  const { userId } = await prisma().membership.findFirstOrThrow({ where: { sandboxId: accountId } });
  await prisma().membership.updateMany({ where: { userId }, data: { role } });
  const cookie = await cookieOf(userId, accountId);
  if (!isSteppedUp) await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });
  return { cookie, "x-account": accountId, "sec-fetch-site": "same-origin" };
}

async function aSeller() {
  const made = await makeAccount();
  await requestDeposit(made.account, cashIn({ client: { name: "Ana", email: person } }), call());
  return made;
}

const paths = [DATA, `${DATA}/export`, `${DATA}/erasures`];
const ask = (path: string, headers: Record<string, string>, body: object = { person }) =>
  host.ask("POST", path, { headers, body });

test.each(paths)("%s is for the owner and an admin who have just proved who they are", async (path) => {
  const made = await aSeller();
  for (const role of ["finance", "developer", "viewer"] as const) {
    expect(await ask(path, await signedIn(made, role))).toMatchObject({
      status: 403,
      json: { error: "insufficient_scope" },
    });
  }
  expect(await ask(path, await signedIn(made, "owner", false))).toMatchObject({
    ...{ status: 403, json: { error: "step_up_required" } },
  });
  expect(await host.ask("POST", path, { token: made.token, body: { person } })).toMatchObject({ status: 401 });
  for (const role of ["owner", "admin"] as const) {
    expect((await ask(path, await signedIn(made, role))).status).toBeLessThan(300);
  }
  const faulty = await ask(path, await signedIn(made, "owner"), { person: "ana" });
  expect(faulty).toMatchObject({
    status: 422,
    json: { errors: { person: ["Informe um CPF, um CNPJ ou um e-mail."] } },
  });
});

test("the export is a JSON file, and neither its address nor the log nor the audit names the person", async () => {
  const made = await aSeller();
  const { accountId } = made;
  const answer = await ask(`${DATA}/export`, await signedIn(made, "owner"));
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(answer.headers.get("content-disposition")).toContain("customer-data.json");
  expect(answer.json).toMatchObject({ person: { email: person }, sales: [{ client_email: person }] });
  await ask(`${DATA}/erasures`, await signedIn(made, "owner"));
  const kept = await forAccount(accountId, async (tx) => [
    await tx.requestLog.findMany({ where: { accountId } }),
    await tx.event.findMany({ where: { accountId, subject: "customer_data" }, orderBy: { id: "asc" } }),
  ]);
  expect(kept[1]).toMatchObject([{ actor: { kind: "person" } }, { type: "customer_data.erased" }]);
  expect(JSON.stringify(kept)).not.toContain(person);
});
