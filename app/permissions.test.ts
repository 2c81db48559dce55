import { join } from "node:path";
import { expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { type Scope, staffRoles } from "@/lib/auth/scopes";
import { inParallel } from "@/lib/concurrency/parallel";
import { prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { fill, type Operation, openHost, operationsOf } from "@/lib/testing/http";
import { makeAccount } from "@/lib/testing/make";
import { aStaffPerson, cookieOf } from "@/lib/testing/staff";
import { Role, StaffRole } from "@/prisma/client/enums";

const host = openHost(routes);
const operations = operationsOf(routes);

/** How a person is answered who has not proved just now who they are: `step` says that they must. */
type Verdict = "yes" | "step" | "no";
type Sent = { cookie: string; "x-account"?: string; "sec-fetch-site": string };

async function verdictOf({ method, path }: Operation, headers: Sent): Promise<Verdict> {
  const body = method === "GET" ? {} : { body: "{" }; // no JSON, so that what is allowed does nothing
  const answer = await host.ask(
    method,
    fill(path, () => newId()),
    { ...body, headers },
  );
  expect([401, 409, 500], `${method} ${path}: ${answer.text}`).not.toContain(answer.status);
  const { error } = answer.json as { error?: string };
  return error === "insufficient_scope" ? "no" : error === "step_up_required" ? "step" : "yes";
}

/** A session of a seller's person in this role. */
async function ofSeller(role: Role): Promise<Sent> {
  const { accountId } = await makeAccount();
  const where = { sandboxId: accountId };
  await prisma().membership.updateMany({ where, data: { role } });
  const { userId } = await prisma().membership.findFirstOrThrow({ where });
  return { cookie: await notProved(await cookieOf(userId, accountId), userId), "x-account": accountId, ...SAME };
}

async function ofStaff(role: StaffRole): Promise<Sent> {
  const { userId, cookie } = await aStaffPerson();
  await prisma().user.update({ where: { id: userId }, data: { staffRoles: [role] } });
  return { cookie: await notProved(cookie, userId), ...SAME };
}

/** How many routes are asked at once, each as everybody. */
const AT_ONCE = 4;

const SAME = { "sec-fetch-site": "same-origin" };

async function notProved(cookie: string, userId: string): Promise<string> {
  await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });
  return cookie;
}

const rowOf = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;

/** A table of who may call what, as it is answered and not as it is declared. */
async function tableOf<R extends string>(
  mine: Operation[],
  names: readonly R[],
  sessionOf: (role: R) => Promise<Sent>,
) {
  const sessions = await Promise.all(names.map(sessionOf));
  const lines = new Map<string, string>();
  await inParallel(mine, AT_ONCE, async (operation) => {
    const verdicts = await Promise.all(sessions.map((session) => verdictOf(operation, session)));
    const name = `${operation.method} ${operation.path}`;
    lines.set(name, rowOf([name, ...verdicts]));
  });
  return [
    rowOf(["", ...names]),
    rowOf(["-", ...names.map(() => "-")]),
    ...[...lines].sort().map(([, line]) => line),
  ].join("\n");
}

test("who may call what is as it was read and kept in docs/permissions.md", async () => {
  const isOf = (kinds: string[]) => operations.filter(({ contract }) => kinds.includes(contract.auth ?? "account"));
  const sellers = await tableOf(isOf(["account", "session"]), Object.values(Role), ofSeller);
  const staff = await tableOf(isOf(["staff"]), Object.values(StaffRole), ofStaff);
  const text = `# Who may call what

\`yes\`, \`no\`, or \`step\`: after the person has proved once more who they are. Written by app/permissions.test.ts.

## A seller's people

${sellers}

## The operator's staff

${staff}
`;
  await expect(text).toMatchFileSnapshot(join(process.cwd(), "docs/permissions.md"));
}, 300_000);

test("what a person of the staff may not do, they are refused whatever else they send", () => {
  const writing = operations.filter(({ method, contract }) => method !== "GET" && contract.auth === "staff");
  expect(writing.length).toBeGreaterThan(3);
  const free = writing.filter(({ contract }) => !contract.staffScope);
  expect(free.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
  const given = new Set<string>(Object.values(staffRoles).flat());
  expect(writing.map(({ contract }) => contract.staffScope).filter((scope) => scope && !given.has(scope))).toEqual([]);
});

test("what only a person may do asks for a session, not for a program's token", () => {
  const ofPersons: readonly Scope[] = ["account:write", "team:read", "team:write", "audit:read"];
  const open = operations.filter(
    ({ contract }) => contract.scopes?.some((scope) => ofPersons.includes(scope)) && contract.auth !== "session",
  );
  expect(open.map(({ method, path }) => `${method} ${path}`)).toEqual([]);
});
