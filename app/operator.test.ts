import { encode } from "next-auth/jwt";
import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { readContext } from "@/lib/accounts/read";
import { sessionCookieName } from "@/lib/auth/session-cookie";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { writeMail } from "@/lib/mail/write";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { aMail, lettersTo } from "@/lib/testing/mails";
import { makeAccount } from "@/lib/testing/make";

const host = openHost(routes);
const ACCOUNTS = "/api/operator/v1/accounts";
const operations = operationsOf(routes).filter(({ contract }) => contract.auth === "staff");
const sameOrigin = { "sec-fetch-site": "same-origin" };

/** The cookie of a new session of this person. */
async function cookieOf(userId: string, accountId: string | null = null): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000);
  const session = { id: newId(), userId, accountId, ip: "::1", userAgent: "", expiresAt };
  await prisma().session.create({ data: session });
  return `${sessionCookieName()}=${await encode({ token: { sid: session.id }, secret: env.SESSION_SECRET })}`;
}

async function staffCookie(): Promise<string> {
  const id = newId();
  const person = { id, email: `${id}@example.com`, name: "Operação", passwordHash: "none", operator: true };
  await prisma().user.create({ data: person });
  return cookieOf(id);
}

const change = (cookie: string, id: string, body: unknown, headers: Record<string, string> = sameOrigin) =>
  host.ask("PATCH", `${ACCOUNTS}/${id}`, { body, headers: { cookie, ...headers } });

test("staff approve a pending seller, who can sell from that moment; nothing else of it changes", async () => {
  const { accountId } = await makeAccount({ mode: "live", features: [] });
  const cookie = await staffCookie();
  await change(cookie, accountId, { status: "suspended" });
  expect(await readContext(accountId)).toMatchObject({ status: "suspended", features: [] });
  const approved = await change(cookie, accountId, { status: "approved" });
  expect(approved).toMatchObject({
    status: 200,
    json: { data: { id: accountId, status: "approved", allowed_statuses: ["suspended"] } },
  });
  expect(await readContext(accountId)).toMatchObject({ status: "approved", features: [] });
});

test("an approval sets features, fees and limits at once and is mailed to the seller; a fault in any changes nothing", async () => {
  const { accountId, email } = await makeAccount({ mode: "live", features: [] });
  const cookie = await staffCookie();
  await change(cookie, accountId, { status: "suspended" });
  const fee = { percentage: "0.99", fixed: "0.10", minimum: "0.00" };
  const terms = {
    pix_fee: fee,
    card_fee: { ...fee, percentage: "3.49" },
    card_settlement_days: 14,
    storage_limit_mb: 64,
  };
  const faulty = {
    status: "approved",
    features: ["cards"],
    terms: { ...terms, pix_fee: { ...fee, percentage: "100.01" } },
  };
  expect(await change(cookie, accountId, faulty)).toMatchObject({ status: 422 });
  expect(await readContext(accountId)).toMatchObject({ status: "suspended", features: [] });
  expect(await lettersTo(email)).toEqual([]);

  const approved = await change(cookie, accountId, { status: "approved", features: ["cards"], terms });
  expect(approved).toMatchObject({ status: 200, json: { data: { status: "approved", features: ["cards"], terms } } });
  expect(await readContext(accountId)).toMatchObject({
    pixFee: { basisPoints: 99, fixed: 10, minimum: 0 },
    cardFee: { basisPoints: 349, fixed: 10, minimum: 0 },
  });
  const url = `${env.APP_URL}/${accountId}/home`;
  expect(await lettersTo(email)).toMatchObject([{ template: "account_approved", features: ["cards"], url }]);
});

test("staff set which features a seller has, each once", async () => {
  const { accountId } = await makeAccount({ mode: "live", features: [] });
  const cookie = await staffCookie();
  await change(cookie, accountId, { features: ["cards", "cash_out", "cards"] });
  expect(await readContext(accountId)).toMatchObject({ status: "approved", features: ["cards", "cash_out"] });
  await change(cookie, accountId, { features: [] });
  expect(await readContext(accountId)).toMatchObject({ features: [] });
});

test("of two who suspend a seller at once, one succeeds", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const cookie = await staffCookie();
  const race = await Promise.all([1, 2].map(() => change(cookie, accountId, { status: "suspended" })));
  expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(race.find(({ status }) => status === 409)?.json).toMatchObject({ error: "invalid_transition" });
});

test("a seller is found by part of its name, by its e-mail, and by its document in any form; a sandbox never", async () => {
  const { accountId, account } = await makeAccount({ mode: "live" });
  const sandbox = await makeAccount();
  const cookie = await staffCookie();
  const search = async (text: string) => {
    const path = `${ACCOUNTS}?${new URLSearchParams({ search: text, per_page: "100" })}`;
    const { json } = await host.ask("GET", path, { headers: { cookie } });
    return (json as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  const { json } = await host.ask("GET", `${ACCOUNTS}/${accountId}`, { headers: { cookie } });
  const { document, email } = (json as { data: { document: string; email: string } }).data;
  const written = document.replace(/(..)(...)(...)(....)(..)/, "$1.$2.$3/$4-$5");
  for (const text of [account.name.toUpperCase(), email.slice(3, 30), document, written]) {
    expect(await search(text), text).toContain(accountId);
  }
  expect(await search(sandbox.account.name)).not.toContain(sandbox.accountId);
  expect(await search("%")).toEqual([]);
});

test("the list counts each status, and can be filtered by one", async () => {
  const made = await makeAccount({ mode: "live" });
  const cookie = await staffCookie();
  const { json } = await host.ask("GET", `${ACCOUNTS}?search=${made.account.name.replace(" ", "+")}&status=pending`, {
    headers: { cookie },
  });
  const { data, meta } = json as { data: { status: string }[]; meta: { counts: Record<string, number> } };
  expect(data.filter(({ status }) => status !== "pending")).toEqual([]);
  expect(meta.counts.approved).toBeGreaterThan(0);
});

describe("refused, and nothing is changed:", () => {
  test.each(operations)(
    "$method $path for a seller's session, a token, or an anonymous caller: the same 401",
    async (operation) => {
      const { accountId, token } = await makeAccount({ mode: "live" });
      const { userId } = await prisma().membership.findFirstOrThrow({ where: { accountId } });
      const seller = await cookieOf(userId, accountId);
      const path = fill(operation.path, () => accountId);
      const body = operation.method === "GET" ? {} : { body: { status: "suspended" } };
      const answers = [
        await host.ask(operation.method, path, { ...body, headers: sameOrigin }),
        await host.ask(operation.method, path, { ...body, headers: { cookie: seller, ...sameOrigin } }),
        await host.ask(operation.method, path, { ...body, token }),
        await host.ask(operation.method, path, { ...body, token, headers: { cookie: await staffCookie() } }),
      ];
      for (const answer of answers) expect(answer).toMatchObject({ status: 401, text: answers[0]?.text });
      expect(await readContext(accountId)).toMatchObject({ status: "approved" });
    },
  );

  test("a write of the staff from another origin", async () => {
    const { accountId } = await makeAccount({ mode: "live" });
    const answer = await change(
      await staffCookie(),
      accountId,
      { status: "suspended" },
      { "sec-fetch-site": "cross-site" },
    );
    expect(answer.status).toBe(403);
    expect(await readContext(accountId)).toMatchObject({ status: "approved" });
  });

  test("a sandbox, an unknown account and a malformed id get the same answer", async () => {
    const { accountId } = await makeAccount();
    const cookie = await staffCookie();
    for (const id of [accountId, newId(), "x"]) {
      for (const answer of [
        await change(cookie, id, { status: "suspended" }),
        await host.ask("GET", `${ACCOUNTS}/${id}`, { headers: { cookie } }),
      ]) {
        expect(answer).toMatchObject({ status: 404, json: { message: "Conta não encontrada." } });
      }
    }
    expect(await readContext(accountId)).toMatchObject({ status: "approved" });
  });

  test.each([{}, { status: "pending" }, { features: ["everything"] }, { features: "cards" }])("%j", async (body) => {
    const { accountId } = await makeAccount({ mode: "live" });
    const answer = await change(await staffCookie(), accountId, body);
    expect(answer).toMatchObject({ status: 422, json: { errors: expect.any(Object) } });
  });
});

const MAILS = "/api/operator/v1/mails";

test("staff list mails, read one, and send one again that was given up; a second time is refused", async () => {
  const mail = aMail();
  await forAccount([], (tx) => writeMail(tx, mail));
  const data = { status: "exhausted", error: "recipient_refused", answer: "550 unknown", nextAttemptAt: null } as const;
  await asSystem((tx) => tx.mail.update({ where: { intent: mail.intent }, data }));
  const headers = { cookie: await staffCookie(), ...sameOrigin };
  const list = await host.ask("GET", `${MAILS}?search=${mail.to.email}`, { headers });
  const record = { status: "exhausted", error: "recipient_refused", answer: "550 unknown", may_retry: true };
  expect(list).toMatchObject({ status: 200, json: { data: [record], meta: { total: 1, route: "inbox" } } });
  const [{ id } = { id: "" }] = (list.json as { data: { id: string }[] }).data;
  const one = await host.ask("GET", `${MAILS}/${id}`, { headers });
  expect(one).toMatchObject({
    status: 200,
    json: { data: { ...record, account: null, content: { html: expect.any(String) } } },
  });
  const retry = () => host.ask("POST", `${MAILS}/${id}/retry`, { headers, body: {} });
  expect(await retry()).toMatchObject({ status: 200, json: { data: { status: "pending", may_retry: false } } });
  expect(await retry()).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
});

test("an unknown mail and a malformed id get the same answer", async () => {
  const headers = { cookie: await staffCookie(), ...sameOrigin };
  for (const id of [newId(), "x", "%00"]) {
    for (const answer of [
      await host.ask("GET", `${MAILS}/${id}`, { headers }),
      await host.ask("POST", `${MAILS}/${id}/retry`, { headers, body: {} }),
    ]) {
      expect(answer).toMatchObject({ status: 404, json: { message: "Mensagem não encontrada." } });
    }
  }
});

test("no operation of the staff is in the partners' document", async () => {
  const { json } = await host.ask("GET", "/api/openapi.json");
  expect(operations.length).toBeGreaterThan(0);
  expect(Object.keys(json.paths as object).filter((path) => path.includes("operator"))).toEqual([]);
});
