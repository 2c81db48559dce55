import { generateCnpj } from "@brazilian-utils/brazilian-utils";
import { describe, expect, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { readContext } from "@/lib/accounts/read";
import type { Conditions } from "@/lib/accounts/schema";
import { SignUpBody } from "@/lib/accounts/schema";
import { asSystem, forAccount, prisma } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { log } from "@/lib/log";
import { writeMail } from "@/lib/mail/write";
import { fill, openHost, operationsOf } from "@/lib/testing/http";
import { aMail, lettersTo } from "@/lib/testing/mails";
import { type Made, makeAccount } from "@/lib/testing/make";
import { aStaffPerson, cookieOf } from "@/lib/testing/staff";
import { signUp } from "@/lib/users/sign-up";
import type { StaffRole } from "@/prisma/client/enums";

const host = openHost(routes);
const ACCOUNTS = "/api/operator/v1/accounts";
const operations = operationsOf(routes).filter(({ contract }) => contract.auth === "staff");
const sameOrigin = { "sec-fetch-site": "same-origin" };

const staffCookie = async () => (await aStaffPerson()).cookie;

const change = (cookie: string, id: string, body: unknown, headers: Record<string, string> = sameOrigin) =>
  host.ask("PATCH", `${ACCOUNTS}/${id}`, { body, headers: { cookie, ...headers } });

/** What the staff's form of an account shows. */
async function conditionsOf(cookie: string, id: string) {
  const { json } = await host.ask("GET", `${ACCOUNTS}/${id}`, { headers: { cookie } });
  const { features, terms } = (json as { data: Conditions }).data;
  return { features, terms };
}

const fee = { percentage: "0.99", fixed: "0.10", minimum: "0.25" };
const someTerms = () => ({
  pix_fee: fee,
  card_fee: { ...fee, percentage: "3.49" },
  ...{
    refund_fee: "1.50",
    chargeback_fee: "25.00",
    card_settlement_days: 14,
    storage_limit_mb: 64,
    approval_above: "500.00",
  },
  ...{ withdrawal_fee: "3.50", withdrawal_limit: "2000.00", withdrawal_day_limit: "9000.00" },
  ...{ withdrawal_night_limit: "1000.00", new_key_limit: "500.00" },
});

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
  const terms = someTerms();
  const fee = terms.pix_fee;
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
    fees: {
      pix: { basisPoints: 99, fixed: 10, minimum: 25 },
      card: { basisPoints: 349, fixed: 10, minimum: 25 },
    },
  });
  const url = `${env.APP_URL}/${accountId}/home`;
  const limits = { cardSettlementDays: 14, storageLimitMb: 64 };
  const pixFee = { basisPoints: 99, fixed: 10, minimum: 25 };
  expect(await lettersTo(email)).toMatchObject([
    { template: "account_approved", features: ["cards"], pixFee, ...limits, url },
  ]);
});

test("what changes after the approval is mailed and logged with who did it and what was before; the same once more changes and mails nothing", async () => {
  const { accountId, email } = await makeAccount({ mode: "live", features: ["cards"] });
  const { userId, cookie } = await aStaffPerson();
  const logged = vi.spyOn(log, "info");
  const seen = await conditionsOf(cookie, accountId);
  const wanted = { features: ["cards", "refunds"], terms: someTerms() };
  const faults = [
    { storage_limit_mb: 0 },
    ...["-0.01", "1000.01", "1.999", "um real"].map((refund_fee) => ({ refund_fee })),
  ];
  for (const fault of faults) {
    const faulty = { ...wanted, terms: { ...wanted.terms, ...fault }, seen };
    expect(await change(cookie, accountId, faulty), JSON.stringify(fault)).toMatchObject({ status: 422 });
  }
  for (const _ of ["once", "again"]) {
    expect(await change(cookie, accountId, { ...wanted, seen })).toMatchObject({ status: 200, json: { data: wanted } });
  }
  expect(await conditionsOf(cookie, accountId)).toEqual(wanted);
  expect(await lettersTo(email)).toMatchObject([
    {
      ...{ template: "account_changed", features: ["cards", "refunds"] },
      ...{ refundFee: 150, cardSettlementDays: 14, storageLimitMb: 64 },
    },
  ]);
  const history = await forAccount(accountId, (tx) => tx.event.findMany({ where: { type: "account.updated" } }));
  expect(history, "once, and by whom").toMatchObject([
    {
      actor: { kind: "staff", id: userId },
      data: { terms: { before: { refund_fee: "0.00" }, after: { refund_fee: "1.50" } } },
    },
  ]);
  expect(logged.mock.calls.map(([said]) => said)).toContainEqual(
    expect.objectContaining({ accountId, userId, was: seen, is: wanted }),
  );
  logged.mockRestore();
});

test("of two forms that showed the same, also saved at once, one changes the account and the other is refused", async () => {
  const { accountId } = await makeAccount({ mode: "live", features: [] });
  const cookie = await staffCookie();
  const seen = await conditionsOf(cookie, accountId);
  const forms = [
    { features: ["cash_out"], terms: seen.terms, seen },
    { features: seen.features, terms: someTerms(), seen },
  ];
  const race = await Promise.all(forms.map((form) => change(cookie, accountId, form)));
  expect(race.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(race.find(({ status }) => status === 409)?.json).toMatchObject({ error: "terms_changed" });
  const { features, terms } = forms[race.findIndex(({ status }) => status === 200)] ?? {};
  expect(await conditionsOf(cookie, accountId)).toEqual({ features, terms });
});

test("an approval is refused where fees were changed since its form was opened, and the account stays as it was", async () => {
  const { accountId } = await makeAccount({ mode: "live", features: [] });
  const cookie = await staffCookie();
  await change(cookie, accountId, { status: "suspended" });
  const seen = await conditionsOf(cookie, accountId);
  await change(cookie, accountId, { terms: someTerms() });
  const approval = { ...seen, status: "approved", seen };
  expect(await change(cookie, accountId, approval)).toMatchObject({ status: 409, json: { error: "terms_changed" } });
  expect(await readContext(accountId)).toMatchObject({ status: "suspended" });
});

test("staff see the other live accounts with the same document, and nothing of it is in what a seller reads", async () => {
  const [first, other, sandbox] = [
    await makeAccount({ mode: "live" }),
    await makeAccount({ mode: "live" }),
    await makeAccount(),
  ];
  const cookie = await staffCookie();
  const read = (id: string) => host.ask("GET", `${ACCOUNTS}/${id}`, { headers: { cookie } });
  const { document } = (await read(first.accountId)).json.data as { document: string };
  expect(await read(other.accountId)).toMatchObject({ json: { data: { same_document: [] } } });
  for (const { accountId: id } of [other, sandbox]) {
    await forAccount(id, (tx) => tx.account.update({ where: { id }, data: { document } }));
  }
  const named = ({ accountId, account }: Made) => ({ id: accountId, name: account.name, status: "approved" });
  expect((await read(first.accountId)).json.data).toMatchObject({ same_document: [named(other)] });
  expect((await read(other.accountId)).json.data).toMatchObject({ same_document: [named(first)] });
  const own = await host.ask("GET", "/api/partner/v1/profile", { token: first.token });
  expect(own.status).toBe(200);
  expect(own.text).not.toContain(other.accountId);
  expect(own.text).not.toContain(other.account.name);
});

test("whether a mail about an account reaches its seller is read with the account", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const headers = { cookie: await staffCookie() };
  for (const [route, MAIL_URL] of [
    ["inbox", undefined],
    ["smtp", "smtp://127.0.0.1:9"],
  ] as const) {
    Object.assign(env, { MAIL_URL });
    expect(await host.ask("GET", `${ACCOUNTS}/${accountId}`, { headers })).toMatchObject({ json: { meta: { route } } });
  }
  Object.assign(env, { MAIL_URL: undefined });
});

test("a company whose document is known already signs up like any other, and is not told so", async () => {
  const { accountId } = await makeAccount({ mode: "live" });
  const { document } = await forAccount(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: accountId } }));
  const ask = (document: string) => {
    const person = { name: "Ana Prado", email: `${newId()}@example.com`, password: "chuva miúda no telhado" };
    return signUp({
      ...SignUpBody.parse({ company: "Ateliê Aurora", document, ...person }),
      ip: "::1",
      isInvited: false,
    });
  };
  const [known, unknown] = [await ask(document), await ask(generateCnpj())];
  expect(known).toEqual(unknown);
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

test("who of the staff sees e-mails masked finds a seller by a whole one, and by no part of it", async () => {
  const { accountId, account, email } = await makeAccount({ mode: "live" });
  const search = async (staffRoles: StaffRole[], text: string) => {
    const { cookie } = await aStaffPerson(staffRoles);
    const { json } = await host.ask("GET", `${ACCOUNTS}?${new URLSearchParams({ search: text, per_page: "100" })}`, {
      headers: { cookie },
    });
    return (json as { data: { id: string }[] }).data.some(({ id }) => id === accountId);
  };
  const asked = [email.toUpperCase(), account.name, email.slice(0, -1), email.slice(1)];
  const found = (role: StaffRole) => Promise.all(asked.map((text) => search([role], text)));
  expect(await found("support")).toEqual([true, true, false, false]);
  expect(await found("finance")).toEqual([true, true, true, true]);
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

describe("the people of the staff", () => {
  const STAFF = "/api/operator/v1/staff";

  test("are invited, changed and removed by an admin who proved just now who they are, and are read by every role", async () => {
    const { cookie, userId } = await aStaffPerson();
    const headers = { cookie, ...sameOrigin };
    const email = `${newId()}@example.com`;
    const body = { name: "Olga Prado", email, roles: ["support", "support"] };
    expect(await host.ask("POST", STAFF, { body, headers })).toMatchObject({ status: 201 });
    const { id } = await prisma().user.findUniqueOrThrow({ where: { email } });
    const listed = async (by: string) => {
      const { json } = await host.ask("GET", STAFF, { headers: { cookie: by } });
      return (json as { data: { id: string }[] }).data.filter((one) => [id, userId].includes(one.id));
    };
    expect((await listed(cookie)).toSorted(({ id }) => (id === userId ? -1 : 1))).toMatchObject([
      { id: userId, is_me: true, is_invited: false, roles: ["finance", "admin"] },
      { id, is_me: false, is_invited: true, roles: ["support"] },
    ]);
    for (const roles of [["support"], ["finance"]] as const) {
      const { cookie: other } = await aStaffPerson([...roles]);
      expect(await listed(other), roles.join()).toHaveLength(2);
      const writes = [
        await host.ask("POST", STAFF, { body, headers: { ...headers, cookie: other } }),
        await host.ask("PATCH", `${STAFF}/${id}`, {
          body: { roles: ["admin"] },
          headers: { ...headers, cookie: other },
        }),
        await host.ask("DELETE", `${STAFF}/${id}`, { headers: { ...headers, cookie: other } }),
        await host.ask("DELETE", `${STAFF}/${id}/second-factor`, { headers: { ...headers, cookie: other } }),
      ];
      for (const write of writes) expect(write).toMatchObject({ status: 403, json: { error: "insufficient_scope" } });
    }
    expect(await host.ask("PATCH", `${STAFF}/${id}`, { body: { roles: [] }, headers })).toMatchObject({ status: 422 });
    expect(await host.ask("PATCH", `${STAFF}/${id}`, { body: { roles: ["finance"] }, headers })).toMatchObject({
      status: 200,
    });
    await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: new Date(Date.now() - 3_600_000) } });
    expect(await host.ask("DELETE", `${STAFF}/${id}`, { headers })).toMatchObject({
      ...{ status: 403, json: { error: "step_up_required" } },
    });
    await prisma().session.updateMany({ where: { userId }, data: { steppedUpAt: new Date() } });
    expect(await host.ask("DELETE", `${STAFF}/${id}`, { headers })).toMatchObject({ status: 200 });
    expect(await host.ask("DELETE", `${STAFF}/${newId()}`, { headers })).toMatchObject({ status: 404 });
  });
});

describe("a session is of one realm", () => {
  test("a staff session and a seller's live in one browser, and neither stands for the other", async () => {
    const seller = await makeAccount();
    const { userId } = await prisma().membership.findFirstOrThrow({ where: { sandboxId: seller.accountId } });
    const [staff, sellers] = [(await aStaffPerson()).cookie, await cookieOf(userId)];
    const status = async (path: string, headers: Record<string, string>) =>
      (await host.ask("GET", path, { headers })).status;
    const both = `${sellers}; ${staff}`;
    const balance = (cookie: string) => status("/api/partner/v1/balance", { cookie, "x-account": seller.accountId });
    expect([await balance(both), await balance(staff), await balance(swapped(staff))]).toEqual([200, 401, 409]);
    const queue = (cookie: string) => status("/api/operator/v1/refunds", { cookie });
    expect([await queue(both), await queue(sellers), await queue(swapped(sellers))]).toEqual([200, 401, 401]);
    const security = (cookie: string, realm = {}) => status("/api/dashboard/v1/security", { cookie, ...realm });
    const ofStaff = { "x-realm": "staff" };
    expect([await security(both), await security(both, ofStaff), await security(staff, ofStaff)]).toEqual([
      200, 200, 200,
    ]);
    expect([await security(staff), await security(sellers, ofStaff)]).toEqual([401, 401]);
    expect([await security(swapped(staff)), await security(swapped(sellers), ofStaff)]).toEqual([401, 401]);
  });

  /** The same session under the name of the other realm's cookie. */
  const swapped = (cookie: string) =>
    cookie.includes("-operator-")
      ? cookie.replace("-operator-", "-")
      : cookie.replace("__Host-repasse-", "__Host-repasse-operator-");
});
