import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { lapseApprovals } from "@/lib/approvals/lapse";
import { forAccount, prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { openHost } from "@/lib/testing/http";
import { lettersTo } from "@/lib/testing/mails";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aPixSale } from "@/lib/testing/refunds";
import { cookieOf } from "@/lib/testing/staff";
import { hashPassword } from "@/lib/users/password";
import { signIn, slowness } from "@/lib/users/sign-in";
import { stepUp } from "@/lib/users/step-up";
import type { Role } from "@/prisma/client/enums";

const host = openHost(routes);
const V1 = "/api/dashboard/v1";
const PASSWORD = "chuva miúda no telhado";
const SAME = { "sec-fetch-site": "same-origin" };

/** Other tests sign up from the same address, so the limit is raised here. */
const { SIGN_UP_LIMIT_PER_MINUTE } = env;
beforeAll(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE: 1_000 }));
afterAll(() => void Object.assign(env, { SIGN_UP_LIMIT_PER_MINUTE }));

const { heldMs } = slowness;
beforeEach(() => void Object.assign(slowness, { heldMs: [0] }));
afterAll(() => void Object.assign(slowness, { heldMs }));

type Somebody = { userId: string; email: string; cookie: string; account: string; liveId: string };

/** The owner of a new seller, signed in, who has proved just now who they are. */
async function anOwner(mode: "live" | "sandbox" = "sandbox"): Promise<Somebody & { made: Made }> {
  const made = await makeAccount({ mode });
  const { accountId, email } = made;
  const membership = await prisma().membership.findFirstOrThrow({ where: { user: { email } } });
  const { userId } = membership;
  await prisma().user.update({ where: { id: userId }, data: { passwordHash: await hashPassword(PASSWORD) } });
  const cookie = await cookieOf(userId, accountId);
  return { made, userId, email, cookie, account: accountId, liveId: membership.accountId };
}

/** Another person of the same seller. */
async function aColleague({ liveId, account }: Somebody, role: Role): Promise<Somebody> {
  const [userId, email] = [newId(), `${newId()}@example.com`];
  const passwordHash = await hashPassword(PASSWORD);
  await prisma().user.create({ data: { id: userId, email, name: "Bruno Lima", passwordHash } });
  const { sandboxId } = await prisma().membership.findFirstOrThrow({ where: { accountId: liveId } });
  await prisma().membership.create({ data: { userId, accountId: liveId, sandboxId, role } });
  return { userId, email, cookie: await cookieOf(userId, account), account, liveId };
}

const by = ({ cookie, account }: Pick<Somebody, "cookie" | "account">) => ({ cookie, "x-account": account, ...SAME });
const ask = (who: Somebody, method: string, path: string, body?: object) =>
  host.ask(method, `${V1}${path}`, { headers: by(who), ...(method !== "GET" && { body: body ?? {} }) });

const forget = ({ userId }: Somebody) =>
  prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: null } });

const roleOf = async ({ liveId, userId }: Somebody) =>
  (await prisma().membership.findUnique({ where: { userId_accountId: { userId, accountId: liveId } } }))?.role;

async function secretOfInvitation(email: string): Promise<string> {
  const letter = (await lettersTo(email)).findLast(({ template }) => template === "team_invited");
  if (!letter || !("url" in letter)) throw new Error("nobody was invited");
  return String(letter.url).split("/").at(-1) ?? "";
}

describe("a team", () => {
  test("is joined by the invited e-mail alone, once, with the role of the invitation", async () => {
    const owner = await anOwner();
    const email = `${newId()}@example.com`;
    expect(
      await ask(owner, "POST", "/team/invitations", { email: email.toUpperCase(), role: "finance" }),
    ).toMatchObject({
      status: 201,
    });
    const secret = await secretOfInvitation(email);
    const offer = await host.ask("POST", `${V1}/team-invitations/offer`, { body: { secret } });
    expect(offer.json).toEqual({
      ...{ seller: owner.made.account.name, inviter: "Teste", role: "finance", email },
      expires_at: expect.any(String),
    });
    // A look-alike of the invited address, signed in, gets what an unknown link gets.
    const other = await anOwner();
    const alike = await ask(other, "POST", "/team-invitations/accept", { secret });
    const unknown = await ask(other, "POST", "/team-invitations/accept", { secret: "x".repeat(43) });
    const { request_id: _, ...same } = alike.json;
    expect({ status: alike.status, ...same }).toEqual({
      status: unknown.status,
      ...unknown.json,
      request_id: undefined,
    });
    const body = { secret, name: "Célia Ramos", password: PASSWORD };
    const signUp = () => host.ask("POST", `${V1}/team-invitations/sign-up`, { body });
    const answers = await Promise.all([signUp(), signUp()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410]);
    const joined = answers.find(({ status }) => status === 201);
    expect(joined?.json).toMatchObject({ account: owner.liveId, email });
    const { json } = await ask(owner, "GET", "/team");
    expect(json).toMatchObject({
      members: [
        { role: "owner", is_me: true },
        { email, role: "finance" },
      ],
      invitations: [],
    });
  });

  test("keeps an owner: the last one neither leaves nor gets another role, also of two at once", async () => {
    const owner = await anOwner();
    expect((await ask(owner, "POST", "/team/leave")).json).toMatchObject({ error: "last_owner" });
    expect((await ask(owner, "PATCH", `/team/members/${owner.userId}`, { role: "viewer" })).json).toMatchObject({
      error: "last_owner",
    });
    const second = await aColleague(owner, "owner");
    const answers = await Promise.all([ask(owner, "POST", "/team/leave"), ask(second, "POST", "/team/leave")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await prisma().membership.count({ where: { accountId: owner.liveId, role: "owner" } })).toBe(1);
  });

  test("ends a removed person's sessions and the keys that follow their role at once", async () => {
    const owner = await anOwner();
    const developer = await aColleague(owner, "developer");
    const key = (body: object) => host.ask("POST", "/api/partner/v1/credentials", { headers: by(developer), body });
    const [following, listed] = [
      await key({ name: "Loja" }),
      await key({ name: "Relatório", scopes: ["balance:read"] }),
    ];
    const idOf = ({ json }: { json: Record<string, unknown> }) => (json.data as { client_id: string }).client_id;
    expect(await ask(owner, "DELETE", `/team/members/${developer.userId}`)).toMatchObject({ status: 200 });
    expect((await ask(developer, "GET", "/team")).status).toBe(401);
    expect(await roleOf(developer)).toBeUndefined();
    const left = await prisma().credential.findMany({ where: { madeBy: developer.userId, revokedAt: null } });
    expect(left.map(({ clientId }) => clientId)).toEqual([idOf(listed)]);
    expect(following.status).toBe(201);
    expect((await lettersTo(developer.email)).map(({ template }) => template)).toEqual(["security_changed"]);
  });

  test("cannot be changed by who is removed at the same moment, nor by a role that may not", async () => {
    const owner = await anOwner();
    const admin = await aColleague(owner, "admin");
    const invite = (who: Somebody, role: Role) =>
      ask(who, "POST", "/team/invitations", { email: `${newId()}@example.com`, role });
    expect((await invite(admin, "owner")).json).toMatchObject({ error: "insufficient_scope" });
    expect((await ask(admin, "DELETE", `/team/members/${owner.userId}`)).json).toMatchObject({
      error: "insufficient_scope",
    });
    const [removed, invited] = await Promise.all([
      ask(owner, "DELETE", `/team/members/${admin.userId}`),
      invite(admin, "viewer"),
    ]);
    expect(removed.status).toBe(200);
    expect([201, 401, 409]).toContain(invited.status);
    expect((await invite(admin, "viewer")).status).toBe(401);
  });

  test("lets an owner go only when another owner agrees, and whoever asked cannot", async () => {
    const owner = await anOwner("live");
    const second = await aColleague(owner, "owner");
    const admin = await aColleague(owner, "admin");
    const asked = await ask(owner, "DELETE", `/team/members/${second.userId}`);
    expect(asked).toMatchObject({ status: 202, json: { approval: { id: expect.any(String) } } });
    const path = `/approvals/${(asked.json.approval as { id: string }).id}/approve`;
    expect(await roleOf(second)).toBe("owner");
    expect((await ask(owner, "POST", path)).json).toMatchObject({ error: "own_request" });
    expect((await ask(admin, "POST", path)).json).toMatchObject({ error: "insufficient_scope" });
    await forget(second);
    expect((await ask(second, "POST", path)).json).toMatchObject({ error: "step_up_required" });
    expect(await ask(second, "POST", "/security/step-up", { password: PASSWORD })).toMatchObject({ status: 200 });
    expect(await ask(second, "POST", path)).toMatchObject({ status: 200 });
    expect(await roleOf(second)).toBeUndefined();
    const other = await anOwner("live");
    const foreign = await ask(other, "POST", path);
    const unknown = await ask(other, "POST", `/approvals/${newId()}/approve`);
    expect([foreign.status, foreign.json.error]).toEqual([unknown.status, unknown.json.error]);
  });
});

describe("a second factor", () => {
  const codeAt = (secret: string, offsetMs = 0) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });
  const someIp = () => [10, ...randomBytes(3)].join(".");

  async function withFactor(home?: string) {
    const owner = await anOwner();
    if (home) await enter(owner.email, undefined, home);
    const { secret } = (await ask(owner, "POST", "/security/second-factor")).json as { secret: string };
    const confirmed = await ask(owner, "POST", "/security/second-factor/confirm", { code: codeAt(secret) });
    const { recovery_codes: codes } = confirmed.json as { recovery_codes: string[] };
    return { owner, secret, codes };
  }

  const enter = (email: string, code?: string, ip = someIp()) =>
    signIn({ email, password: PASSWORD, ip, userAgent: "Firefox", ...(code && { code }) }).catch(({ code }) => code);

  test("is asked for at sign-in, and a code that was used or is wrong opens nothing", async () => {
    const { owner, secret } = await withFactor();
    const { email } = owner;
    expect(await enter(email)).toBe("second_factor_required");
    expect(await enter(email, "000000")).toBe("second_factor_wrong");
    expect(await enter(email, codeAt(secret))).toBe("second_factor_wrong"); // it confirmed the factor just now
    const next = codeAt(secret, 30_000);
    const both = await Promise.all([enter(email, next), enter(email, next)]);
    expect(both.filter((one) => one === "second_factor_wrong")).toHaveLength(1);
    expect(both.find((one) => typeof one === "object")).toMatchObject({ userId: owner.userId });
  });

  test("has recovery codes that open once each, and end with the factor", async () => {
    const { owner, codes } = await withFactor();
    const [first = "", second = ""] = codes;
    expect(new Set(codes).size).toBe(10);
    const both = await Promise.all([enter(owner.email, first), enter(owner.email, first.toLowerCase())]);
    expect(both.filter((one) => typeof one === "object")).toHaveLength(1);
    expect(await ask(owner, "DELETE", "/security/second-factor")).toMatchObject({ status: 200 });
    expect(await enter(owner.email, second)).toMatchObject({ userId: owner.userId });
    expect(await prisma().recoveryCode.count({ where: { userId: owner.userId } })).toBe(0);
  });

  test("ends every other session when it is set up, and stands for the password from then on", async () => {
    const owner = await anOwner();
    const elsewhere = { ...owner, cookie: await cookieOf(owner.userId, owner.account) };
    const { secret } = (await ask(owner, "POST", "/security/second-factor")).json as { secret: string };
    await ask(owner, "POST", "/security/second-factor/confirm", { code: codeAt(secret) });
    expect((await ask(elsewhere, "GET", "/security")).status).toBe(401);
    await forget(owner);
    const prove = (body: object) => ask(owner, "POST", "/security/step-up", body);
    expect((await prove({ password: PASSWORD })).json).toMatchObject({ errors: { code: [expect.any(String)] } });
    expect((await prove({ code: codeAt(secret, 30_000) })).status).toBe(200);
    const again = await ask(owner, "POST", "/security/second-factor");
    expect(again.json).toMatchObject({ error: "second_factor_exists" });
  });

  test("is guessed five times a minute, and the owner's own address is not locked out by others", async () => {
    const home = someIp();
    const { owner, secret } = await withFactor(home);
    const guesses = [];
    for (let turn = 0; turn < 7; turn += 1) guesses.push(await enter(owner.email, "000000"));
    expect(guesses.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "second_factor_wrong"));
    expect(guesses.slice(5)).toEqual(["rate_limit_exceeded", "rate_limit_exceeded"]);
    expect(await enter(owner.email, codeAt(secret, 30_000), home)).toMatchObject({ userId: owner.userId });
  });

  test("takes fifty wrong codes a day from elsewhere, and the person is told; recovery codes and the owner's own network go on", async () => {
    const home = someIp();
    const { owner, secret, codes } = await withFactor(home);
    const { email, userId } = owner;
    const set = (data: object) => prisma().user.update({ where: { id: userId }, data });
    const read = async () => {
      const { wrongCodes, wrongCodesKnown } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
      return [wrongCodes, wrongCodesKnown];
    };
    expect(await enter(email, "000000")).toBe("second_factor_wrong");
    expect(await read()).toEqual([1, 0]);
    await set({ wrongCodes: 49 });
    const two = await Promise.all([enter(email, "000000"), enter(email, "000000")]);
    expect(two.sort()).toEqual(["rate_limit_exceeded", "second_factor_wrong"]);
    expect(await enter(email, codeAt(secret, 30_000))).toBe("rate_limit_exceeded");
    const told = (await lettersTo(email)).filter((letter) => "what" in letter && letter.what === "codes_guessed");
    expect(told).toHaveLength(1);
    expect(await enter(email, codes[0])).toMatchObject({ userId });
    expect(await enter(email, codeAt(secret, 30_000), home)).toMatchObject({ userId });
    expect(await read(), "a right code is not counted").toEqual([50, 0]);
    await set({ wrongCodesOn: new Date(Date.now() - 86_400_000) });
    expect(await enter(email, "000000")).toBe("second_factor_wrong");
    expect(await read()).toEqual([1, 0]);
  });

  test("has recovery codes that nobody who guesses keeps the owner from", async () => {
    const { owner, codes } = await withFactor();
    for (let turn = 0; turn < 6; turn += 1) await enter(owner.email, "000000");
    expect(await enter(owner.email, "000000")).toBe("rate_limit_exceeded");
    expect(await enter(owner.email, codes[0])).toMatchObject({ userId: owner.userId });
  });
});

describe("proving once more who one is", () => {
  test("counts for the session in which it was done, and for ten minutes", async () => {
    const owner = await anOwner();
    const other = { ...owner, cookie: await cookieOf(owner.userId, owner.account) };
    await forget(owner);
    const invite = (who: Somebody) =>
      ask(who, "POST", "/team/invitations", { email: `${newId()}@example.com`, role: "viewer" });
    expect((await invite(owner)).json).toMatchObject({ error: "step_up_required" });
    expect((await ask(owner, "POST", "/security/step-up", { password: "errada" })).status).toBe(422);
    expect((await ask(owner, "POST", "/security/step-up", { password: PASSWORD })).status).toBe(200);
    expect((await invite(owner)).status).toBe(201);
    expect((await invite(other)).json).toMatchObject({ error: "step_up_required" });
    const where = { userId: owner.userId };
    await prisma().session.updateMany({ where, data: { steppedUpAt: new Date(Date.now() - 11 * 60_000) } });
    expect((await invite(owner)).json).toMatchObject({ error: "step_up_required" });
  });
});

test("the password is guessed five times a minute once more, from all addresses together", async () => {
  const { userId } = await anOwner();
  const { id: sessionId } = await prisma().session.findFirstOrThrow({ where: { userId } });
  const prove = (n: number, password: string) =>
    stepUp({ userId, sessionId, ip: `203.0.${n}.7`, password }).catch((error) => error.code);
  const tries = [1, 2, 3, 4, 5, 6].map((n) => prove(n, "errada"));
  const codes = await Promise.all(tries);
  expect(codes.filter((code) => code === "rate_limit_exceeded")).toHaveLength(1);
  expect(await prove(7, PASSWORD)).toBe("rate_limit_exceeded");
});

describe("a person's sessions", () => {
  test("are listed and ended by that person alone", async () => {
    const [owner, other] = [await anOwner(), await anOwner()];
    const second = { ...owner, cookie: await cookieOf(owner.userId, owner.account) };
    const { sessions } = (await ask(owner, "GET", "/security")).json as {
      sessions: { id: string; is_this: boolean }[];
    };
    expect(sessions).toHaveLength(2);
    const id = sessions.find(({ is_this }) => !is_this)?.id ?? "";
    const foreign = await ask(other, "DELETE", `/security/sessions/${id}`);
    const unknown = await ask(other, "DELETE", `/security/sessions/${newId()}`);
    expect([foreign.status, foreign.json.error]).toEqual([unknown.status, unknown.json.error]);
    expect((await ask(second, "GET", "/security")).status).toBe(200);
    expect((await ask(owner, "DELETE", `/security/sessions/${id}`)).status).toBe(200);
    expect((await ask(second, "GET", "/security")).status).toBe(401);
  });
});

describe("a program's key", () => {
  const create = (who: Somebody, body: object) =>
    host.ask("POST", "/api/partner/v1/credentials", { headers: by(who), body: { name: "Loja", ...body } });
  type Key = { client_id: string; client_secret: string; api_key: string; scopes: string[]; awaiting_scopes: string[] };
  const keyOf = ({ json }: { json: Record<string, unknown> }) => json.data as Key;

  test("gets a scope that moves money where it is named, and on a live account when another person agrees", async () => {
    const owner = await anOwner("live");
    expect(keyOf(await create(owner, {})).scopes).not.toContain("refunds:write");
    expect(keyOf(await create(owner, { money_scopes: ["refunds:write"] }))).toMatchObject({
      scopes: expect.arrayContaining(["refunds:write"]),
      awaiting_scopes: [], // there is nobody else
    });
    const admin = await aColleague(owner, "admin");
    const key = keyOf(await create(owner, { money_scopes: ["refunds:write"] }));
    expect(key).toMatchObject({ awaiting_scopes: ["refunds:write"] });
    expect(key.scopes).not.toContain("refunds:write");
    const { data } = (await ask(admin, "GET", "/approvals")).json as { data: { id: string; may_decide: boolean }[] };
    expect(data).toMatchObject([{ kind: "credential_scopes", subject_id: key.client_id, may_decide: true }]);
    const approve = () => ask(admin, "POST", `/approvals/${data[0]?.id}/approve`);
    const answers = await Promise.all([approve(), approve()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const { json } = await host.ask("GET", "/api/partner/v1/credentials", { headers: by(owner) });
    const shown = (json.data as Key[]).find(({ client_id }) => client_id === key.client_id);
    expect(shown?.scopes).toContain("refunds:write");
    const program = await host.ask("POST", "/api/partner/v1/credentials", {
      token: owner.made.token,
      body: { name: "Loja", money_scopes: ["refunds:write"] },
    });
    expect(program.json).toMatchObject({ error: "insufficient_scope" });
  });

  test("works only from its networks and until its end, with the tokens that it has", async () => {
    const owner = await anOwner();
    const key = keyOf(await create(owner, {}));
    const mint = () =>
      host.ask("POST", "/api/partner/v1/auth-token", {
        body: { client_id: key.client_id, client_secret: key.client_secret },
      });
    const token = String((await mint()).json.access_token);
    const balance = () => host.ask("GET", "/api/partner/v1/balance", { token });
    const legacy = () => host.ask("GET", "/s1/getsaldo/api", { authorization: `Basic ${btoa(key.api_key)}` });
    const bind = (allowed_networks: string[]) =>
      host.ask("PATCH", `/api/partner/v1/credentials/${key.client_id}`, {
        headers: by(owner),
        body: { allowed_networks },
      });
    expect((await balance()).status).toBe(200);
    expect((await bind(["203.0.113.0/24"])).status).toBe(200);
    for (const refused of [await balance(), await mint(), await legacy()]) {
      expect(refused).toMatchObject({ status: 403, json: { error: "ip_not_allowed" } });
    }
    expect((await bind(["127.0.0.1", "::1"])).json).toMatchObject({
      data: { allowed_networks: ["127.0.0.1/32", "::1/128"] },
    });
    expect((await balance()).status).toBe(200);
    expect((await bind(["loja.example"])).status).toBe(422);
    await prisma().credential.update({ where: { clientId: key.client_id }, data: { expiresAt: new Date() } });
    expect((await mint()).status).toBe(401);
    expect((await legacy()).status).toBe(401);
  });
});

test("a refund above the account's limit waits for another person, holds nothing meanwhile, and lapses undecided", async () => {
  const owner = await anOwner();
  const finance = await aColleague(owner, "finance");
  const { made, account: accountId } = owner;
  await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { approvalAbove: 5_000 } }));
  const refund = async (who: Somebody, sale: string, amount: number) =>
    host.ask("POST", `/api/partner/v1/transaction/${sale}/refund`, {
      headers: by(who),
      body: { reason: "other", amount },
    });
  const [sale, second] = [await aPixSale(made), await aPixSale(made)];
  const before = await readBalances(accountId);
  await forget(finance);
  expect((await refund(finance, sale, 60)).json).toMatchObject({ error: "step_up_required" });
  expect((await refund(finance, sale, 50)).status).toBe(201);
  await prisma().session.updateMany({ where: { userId: finance.userId }, data: { steppedUpAt: new Date() } });
  const held = await readBalances(accountId);
  expect(held.blocked - before.blocked).toBe(5_000);

  const waiting = await refund(finance, second, 60);
  expect(waiting).toMatchObject({ status: 202, json: { approval: { id: expect.any(String) } } });
  expect(await readBalances(accountId)).toEqual(held);
  const path = `/approvals/${(waiting.json.approval as { id: string }).id}`;
  expect((await ask(finance, "POST", `${path}/approve`)).json).toMatchObject({ error: "own_request" });
  const decisions = await Promise.all([
    ask(owner, "POST", `${path}/approve`),
    ask(owner, "POST", `${path}/approve`),
    ask(owner, "POST", `${path}/reject`),
  ]);
  expect(decisions.filter(({ status }) => status === 200)).toHaveLength(1);
  const { status } = await forAccount(accountId, (tx) =>
    tx.approval.findFirstOrThrow({ where: { accountId, subjectId: second } }),
  );
  const moved = (await readBalances(accountId)).blocked - held.blocked;
  expect(moved).toBe(status === "approved" ? 6_000 : 0);

  // What was asked for by somebody who may no longer ask is not done.
  const demoted = await aColleague(owner, "finance");
  const fourth = await aPixSale(made);
  const orphan = (await refund(demoted, fourth, 80)).json.approval as { id: string };
  await ask(owner, "PATCH", `/team/members/${demoted.userId}`, { role: "viewer" });
  expect((await ask(owner, "POST", `/approvals/${orphan.id}/approve`)).json).toMatchObject({
    error: "insufficient_scope",
  });

  const third = await aPixSale(made);
  await refund(finance, third, 70);
  const where = { accountId, subjectId: third };
  await forAccount(accountId, (tx) => tx.approval.updateMany({ where, data: { lapsesAt: new Date(Date.now() - 1) } }));
  const late = await forAccount(accountId, (tx) => tx.approval.findFirstOrThrow({ where }));
  expect((await ask(owner, "POST", `/approvals/${late.id}/approve`)).json).toMatchObject({
    error: "invalid_transition",
  });
  await lapseApprovals();
  expect((await ask(owner, "GET", "/approvals")).json).toMatchObject({
    data: expect.arrayContaining([expect.objectContaining({ id: late.id, status: "lapsed", decided_by: null })]),
  });
});
