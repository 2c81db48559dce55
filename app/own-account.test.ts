import { randomBytes } from "node:crypto";
import { generateCnpj, generateCpf } from "@brazilian-utils/brazilian-utils";
import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { readContext } from "@/lib/accounts/read";
import { flushStored, readStorage } from "@/lib/accounts/storage";
import { forAccount, prisma } from "@/lib/db";
import { newId } from "@/lib/ids";
import { makeLink } from "@/lib/testing/checkout";
import { openHost } from "@/lib/testing/http";
import { lettersTo } from "@/lib/testing/mails";
import { fund, type Made, makeAccount } from "@/lib/testing/make";
import { personOf } from "@/lib/testing/person";
import { pictures } from "@/lib/testing/pictures";
import { aStaffPerson } from "@/lib/testing/staff";
import { anActive, aPlan } from "@/lib/testing/subscriptions";
import type { AccountStatus, Role } from "@/prisma/client/enums";

const host = openHost(routes);
const V1 = "/api/partner/v1";
const ACCOUNT = "/api/dashboard/v1/account";
const DOCUMENTS = `${ACCOUNT}/documents`;

const aPdf = (content: Buffer | string = "1 0 obj") =>
  Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from(content), Buffer.from("\n%%EOF\n")]);
const address = {
  ...{ zipCode: "69005-010", street: "Av. Eduardo Ribeiro", streetNumber: "520", district: "Centro" },
  ...{ city: "Manaus", state: "AM" },
};
const aRepresentative = () => ({ name: "Ana Prado", document: generateCpf() });

/** An account whose person calls from its page. */
async function withPerson(overrides: Parameters<typeof makeAccount>[0] & { status?: AccountStatus; role?: Role } = {}) {
  const { status, role, ...rest } = overrides;
  const made = await makeAccount({ mode: "live", ...rest });
  const { accountId } = made;
  if (status) await forAccount(accountId, (tx) => tx.account.update({ where: { id: accountId }, data: { status } }));
  const headers = await personOf(made, role);
  const ask = (method: string, path: string, body?: unknown, more: { key?: string; type?: string } = {}) =>
    host.ask(method, path, {
      headers: { ...headers, ...(more.type && { "content-type": more.type }) },
      ...(body !== undefined && { body }),
      ...(more.key && { key: more.key }),
    });
  const send = (kind: string, file: Buffer, key?: string) =>
    ask("POST", `${DOCUMENTS}?kind=${kind}`, file, { type: "application/pdf", ...(key && { key }) });
  return { ...made, headers, ask, send };
}

/** A person of the staff, as a function that calls. */
async function aStaff() {
  const headers = { cookie: (await aStaffPerson()).cookie, "sec-fetch-site": "same-origin" };
  return (method: string, path: string, body?: object) => host.ask(method, path, { headers, ...(body && { body }) });
}

const rowOf = (accountId: string) =>
  forAccount(accountId, (tx) => tx.account.findUniqueOrThrow({ where: { id: accountId } }));
const eventsOf = (accountId: string, subject: string) =>
  forAccount(accountId, (tx) =>
    tx.event.findMany({
      where: { accountId, subject },
      orderBy: { id: "asc" },
      select: { type: true, data: true, actor: true },
    }),
  );
const documentsOf = (accountId: string) =>
  forAccount(accountId, (tx) => tx.accountDocument.findMany({ where: { accountId }, orderBy: { id: "asc" } }));
const idOf = ({ json }: { json: Record<string, unknown> }) => (json.data as { id: string }).id;

describe("the account's own page", () => {
  test("saves phone, address and support contact, with who did it and what was before; the BR Code has the city", async () => {
    const seller = await withPerson({ mode: "sandbox" });
    const { accountId, ask, token } = seller;
    const change = {
      phone: "(92) 98765-4321",
      address,
      support_email: "Ajuda@Loja.com.br",
      support_phone: "9233334444",
    };
    const saved = await ask("PATCH", ACCOUNT, change);
    const is = {
      ...{ phone: "92987654321", address: { ...address, zipCode: "69005010" } },
      ...{ support_email: "ajuda@loja.com.br", support_phone: "9233334444" },
    };
    expect(saved).toMatchObject({ status: 200, json: { data: is } });
    expect(await ask("GET", ACCOUNT)).toMatchObject({ status: 200, json: { data: { ...is, request: null } } });
    expect((await host.ask("GET", `${V1}/profile`, { token })).json).toMatchObject({
      phone: is.phone,
      address: is.address,
    });
    const [event] = (await eventsOf(accountId, "account")).slice(-1);
    expect(event).toMatchObject({
      ...{ type: "account.updated", actor: { kind: "person" } },
      data: { phone: { before: null, after: is.phone }, support_email: { before: null, after: is.support_email } },
    });
    const { json } = await host.ask("POST", `${V1}/cash-in`, { token, body: { amount: 10 } });
    expect(json.pix_code).toContain("6006Manaus");
  });

  test("members that are not given stay, the same twice leaves one event, and null empties", async () => {
    const { accountId, ask } = await withPerson();
    for (const _ of [1, 2]) await ask("PATCH", ACCOUNT, { phone: "11987654321" });
    await ask("PATCH", ACCOUNT, { support_email: "a@loja.com.br" });
    expect(await rowOf(accountId)).toMatchObject({ phone: "11987654321", supportEmail: "a@loja.com.br" });
    await ask("PATCH", ACCOUNT, { phone: null });
    expect(await rowOf(accountId)).toMatchObject({ phone: null, supportEmail: "a@loja.com.br" });
    const updates = (await eventsOf(accountId, "account")).filter(({ type }) => type === "account.updated");
    expect(updates.map(({ data }) => Object.keys(data as object))).toEqual([["phone"], ["support_email"], ["phone"]]);
  });

  test.each([
    ["nothing", {}],
    ["a phone without an area code", { phone: "98765-4321" }],
    ["an e-mail that is none", { support_email: "loja" }],
    ["an address without a city", { address: { ...address, city: " " } }],
    ["a state that does not exist", { address: { ...address, state: "XX" } }],
    ["a zone outside of Brazil", { time_zone: "Europe/Lisbon" }],
  ])("%s is refused and changes nothing", async (_, body) => {
    const { accountId, ask } = await withPerson();
    const before = await rowOf(accountId);
    expect(await ask("PATCH", ACCOUNT, body)).toMatchObject({ status: 422 });
    expect(await rowOf(accountId)).toEqual(before);
  });

  test("only owner and admin change it, and never a credential, whatever its role", async () => {
    const body = { phone: "11987654321" };
    for (const role of ["finance", "developer", "viewer"] as const) {
      const { ask } = await withPerson({ role });
      expect(await ask("PATCH", ACCOUNT, body), role).toMatchObject({
        status: 403,
        json: { error: "insufficient_scope" },
      });
      expect(await ask("GET", ACCOUNT), role).toMatchObject({ status: 200 });
    }
    const { token, ask } = await withPerson({ role: "admin" });
    expect(await ask("PATCH", ACCOUNT, body)).toMatchObject({ status: 200 });
    expect(await host.ask("PATCH", ACCOUNT, { token, body })).toMatchObject({ status: 401 });
    expect(await host.ask("PATCH", ACCOUNT, { body })).toMatchObject({ status: 401 });
    const named = { name: "Loja", scopes: ["account:write"] };
    expect(await ask("POST", `${V1}/credentials`, named)).toMatchObject({ status: 422 });
  });

  test("the zone changes until there is a subscription, and never after one", async () => {
    const { accountId, ask, ...made } = await withPerson({ mode: "sandbox" });
    const to = (time_zone: string) => ask("PATCH", ACCOUNT, { time_zone });
    expect(await to("America/Manaus")).toMatchObject({ status: 200, json: { data: { time_zone: "America/Manaus" } } });
    await to("America/Sao_Paulo");
    const seller = { ...made, accountId };
    await anActive(seller, await aPlan(seller));
    expect(await to("America/Manaus")).toMatchObject({ status: 409, json: { error: "time_zone_fixed" } });
    expect(await to("America/Sao_Paulo"), "the same is no change").toMatchObject({ status: 200 });
    expect(await ask("GET", ACCOUNT)).toMatchObject({ json: { data: { time_zone_is_fixed: true } } });
  });

  test("the checkout shows the picture and whom to ask; a removed picture answers 404", async () => {
    const seller = await withPerson({ mode: "sandbox" });
    const { ask } = seller;
    const path = `/checkout/${await makeLink(seller)}`;
    const before = await host.ask("GET", path);
    expect(before.text).not.toContain('class="support"');
    const sent = await ask("POST", `${ACCOUNT}/image`, pictures.png, { type: "image/png" });
    const { image_url } = sent.json.data as { image_url: string };
    const { pathname } = new URL(image_url);
    await ask("PATCH", ACCOUNT, { support_email: "ajuda@loja.com.br", support_phone: "11987654321" });
    const page = await host.ask("GET", path);
    expect(page.text).toContain(`src="${pathname}"`);
    expect(page.text).toContain('href="mailto:ajuda@loja.com.br"');
    expect(page.text).toContain('href="tel:+5511987654321"');
    expect(await host.ask("GET", `/api/public/v1/checkout/${path.split("/").at(-1)}`)).toMatchObject({
      json: { data: { seller: { image_url, support: { email: "ajuda@loja.com.br", phone: "11987654321" } } } },
    });
    expect((await host.ask("GET", pathname)).status).toBe(200);
    expect(await ask("POST", `${ACCOUNT}/image`, Buffer.from("<svg/>"))).toMatchObject({ status: 422 });
    expect(await ask("DELETE", `${ACCOUNT}/image`)).toMatchObject({ status: 200 });
    expect((await host.ask("GET", pathname)).status).toBe(404);
  });
});

describe("a request of a change", () => {
  const REQUESTS = `${ACCOUNT}/requests`;
  const decide = (accountId: string, id: string, verb: string) =>
    `/api/operator/v1/accounts/${accountId}/requests/${id}/${verb}`;

  test("waits in the staff's queue, the oldest first, and approved changes the account in both modes, by mail too", async () => {
    const { accountId, email, ask } = await withPerson();
    const staff = await aStaffPerson();
    const wanted = { name: "Ateliê Aurora Ltda", document: generateCnpj(), legal_representative: aRepresentative() };
    const asked = await ask("POST", REQUESTS, wanted);
    expect(asked).toMatchObject({ status: 201, json: { data: { status: "pending", ...wanted } } });
    const byStaff = (method: string, path: string) =>
      host.ask(method, path, { headers: { cookie: staff.cookie, "sec-fetch-site": "same-origin" } });
    const { data } = (await byStaff("GET", "/api/operator/v1/profile-requests?per_page=100")).json as {
      data: { request: { id: string }; account: { id: string } }[];
    };
    const ids = data.map(({ request }) => request.id);
    expect(ids).toEqual([...ids].sort());
    expect(data).toContainEqual(expect.objectContaining({ account: expect.objectContaining({ id: accountId }) }));
    const path = decide(accountId, idOf(asked), "approve");
    expect(await byStaff("POST", path)).toMatchObject({ status: 200, json: { data: { status: "approved" } } });
    const is = { name: wanted.name, document: wanted.document, legalRepresentative: wanted.legal_representative };
    const { sandboxId } = await prisma().membership.findFirstOrThrow({ where: { accountId } });
    expect([await rowOf(accountId), await rowOf(sandboxId)]).toMatchObject([is, is]);
    expect(await byStaff("POST", path)).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
    expect(await lettersTo(email)).toMatchObject([{ template: "profile_decided", outcome: "approved", reason: null }]);
    const events = await eventsOf(accountId, "profile_request");
    expect(events.map(({ type, actor }) => [type, (actor as { kind: string }).kind])).toEqual([
      ["profile_request.created", "person"],
      ["profile_request.approved", "staff"],
    ]);
  });

  test("refused changes nothing and says why; without a reason it is not refused", async () => {
    const { accountId, email, ask } = await withPerson();
    const before = await rowOf(accountId);
    const byStaff = await aStaff();
    const id = idOf(await ask("POST", REQUESTS, { name: "Outra Ltda" }));
    expect(await byStaff("POST", decide(accountId, id, "reject"), { reason: " " })).toMatchObject({ status: 422 });
    const reason = "O CNPJ está baixado.";
    expect(await byStaff("POST", decide(accountId, id, "reject"), { reason })).toMatchObject({ status: 200 });
    expect(await rowOf(accountId)).toEqual(before);
    expect(await ask("GET", ACCOUNT)).toMatchObject({ json: { data: { request: { status: "rejected", reason } } } });
    expect(await lettersTo(email)).toMatchObject([{ template: "profile_decided", outcome: "rejected", reason }]);
  });

  test("is one at a time, also of many at once; taken back it makes room for another", async () => {
    const { accountId, ask } = await withPerson();
    const answers = await Promise.all(["A1", "B2", "C3", "D4"].map((name) => ask("POST", REQUESTS, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const made = answers.find(({ status }) => status === 201);
    const id = made ? idOf(made) : "";
    const ends = await Promise.all([1, 2].map(() => ask("POST", `${REQUESTS}/${id}/cancel`)));
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await ask("POST", REQUESTS, { name: "E5" })).toMatchObject({ status: 201 });
    expect((await eventsOf(accountId, "profile_request")).map(({ type }) => type)).toEqual([
      ...["profile_request.created", "profile_request.cancelled", "profile_request.created"],
    ]);
  });

  test("of an approval and a withdrawal at once one counts", async () => {
    const { accountId, ask } = await withPerson();
    const byStaff = await aStaff();
    const id = idOf(await ask("POST", REQUESTS, { name: "Nome Novo" }));
    const [approved, cancelled] = await Promise.all([
      byStaff("POST", decide(accountId, id, "approve")),
      ask("POST", `${REQUESTS}/${id}/cancel`),
    ]);
    expect([approved.status, cancelled.status].sort()).toEqual([200, 409]);
    expect((await rowOf(accountId)).name === "Nome Novo").toBe(approved.status === 200);
  });

  test("is nothing for another account, a sandbox, an empty one, and a company as a person", async () => {
    const [mine, theirs] = [await withPerson(), await withPerson()];
    const id = idOf(await theirs.ask("POST", REQUESTS, { name: "Deles" }));
    const [foreign, unknown] = [
      await mine.ask("POST", `${REQUESTS}/${id}/cancel`),
      await mine.ask("POST", `${REQUESTS}/${newId()}/cancel`),
    ];
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    const byStaff = await aStaff();
    expect(await byStaff("POST", decide(mine.accountId, id, "approve"))).toMatchObject({ status: 404 });
    expect(await mine.ask("POST", REQUESTS, {})).toMatchObject({ status: 422 });
    const company = { legal_representative: { name: "Ana", document: generateCnpj() } };
    expect(await mine.ask("POST", REQUESTS, company)).toMatchObject({ status: 422 });
    const sandbox = await withPerson({ mode: "sandbox" });
    expect(await sandbox.ask("POST", REQUESTS, { name: "Loja" })).toMatchObject({
      ...{ status: 422, json: { error: "account_not_live" } },
    });
    const viewer = await withPerson({ role: "viewer" });
    expect(await viewer.ask("POST", REQUESTS, { name: "Loja" })).toMatchObject({ status: 403 });
    expect(await eventsOf(mine.accountId, "profile_request")).toEqual([]);
  });
});

describe("a document", () => {
  const fileOf = async (headers: Record<string, string>, path: string) => {
    const response = await fetch(`${host.url}${path}`, { headers });
    return { headers: response.headers, status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };

  test("is kept encrypted and comes back byte for byte, only to be saved, to its people and the staff", async () => {
    const { accountId, headers, send } = await withPerson({ status: "pending" });
    const file = aPdf(randomBytes(50_000));
    const sent = await send("company", file);
    expect(sent).toMatchObject({ status: 201, json: { data: { kind: "company", status: "sent", size: file.length } } });
    const [row] = await documentsOf(accountId);
    expect(Buffer.from(row?.bytes ?? []).includes(file.subarray(100, 200))).toBe(false);
    const id = idOf(sent);
    const staff = { cookie: (await aStaffPerson()).cookie };
    for (const [by, path] of [
      [headers, `${DOCUMENTS}/${id}`],
      [staff, `/api/operator/v1/accounts/${accountId}/documents/${id}`],
    ] as const) {
      const got = await fileOf(by, path);
      expect([got.status, got.bytes.equals(file)]).toEqual([200, true]);
      expect(Object.fromEntries(got.headers)).toMatchObject({
        ...{ "content-type": "application/pdf", "content-disposition": `attachment; filename="company-${id}.pdf"` },
        ...{ "x-content-type-options": "nosniff", "cache-control": "no-store" },
        "content-security-policy": "default-src 'none'; sandbox",
      });
    }
  });

  const renamed: [string, Buffer][] = [
    ["a Windows program", Buffer.concat([Buffer.from("MZ\x90\0"), randomBytes(500)])],
    ["a Linux program", Buffer.concat([Buffer.from("\x7fELF"), randomBytes(500)])],
    ["a program behind a PDF's name", Buffer.concat([Buffer.from("MZ"), aPdf()])],
    ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
    ["an HTML page", Buffer.from("<!doctype html><script>alert(1)</script>")],
    ["a PDF without its end", Buffer.from("%PDF-1.7\n1 0 obj")],
    ["a cut off PNG", pictures.png.subarray(0, 20)],
    ["a WebP", pictures["webp, lossy"]],
    ["nothing", Buffer.alloc(0)],
  ];
  test.each(renamed)("%s under the name of a PDF is refused and not kept", async (_, file) => {
    const { accountId, send } = await withPerson();
    expect(await send("company", file)).toMatchObject({
      status: 422,
      json: { errors: { file: [expect.any(String)] } },
    });
    expect(await documentsOf(accountId)).toEqual([]);
  });

  test("that is larger than 4 MB is refused by its declared length and by its own, and one of 4 MB is kept", async () => {
    const { accountId, headers, send } = await withPerson();
    const huge = aPdf(Buffer.alloc(4_000_000));
    expect((await send("company", huge)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(huge);
        controller.close();
      },
    });
    const init = { method: "POST", headers, body: stream, duplex: "half" } as RequestInit;
    expect((await fetch(`${host.url}${DOCUMENTS}?kind=company`, init)).status).toBe(413);
    expect(await documentsOf(accountId)).toEqual([]);
    expect(await send("company", aPdf(Buffer.alloc(4_000_000 - aPdf("").length)))).toMatchObject({ status: 201 });
  });

  test("takes the place of one of its kind that waits, so that a thousand leave one of each; what is stored is counted", async () => {
    const { accountId, send } = await withPerson();
    const file = aPdf(randomBytes(2_000));
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all(Array.from({ length: 10 }, () => send("company", file)));
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    }
    await send("address", pictures["jpeg, baseline"]);
    expect((await documentsOf(accountId)).map(({ kind, contentType }) => [kind, contentType])).toEqual([
      ["company", "application/pdf"],
      ["address", "image/jpeg"],
    ]);
    await flushStored();
    const { used } = await forAccount(accountId, (tx) => readStorage(tx, accountId));
    expect(used).toBeGreaterThan(100 * file.length);
  });

  test("is one of twenty at most, accepted ones too; refused ones do not count", async () => {
    const { accountId, send } = await withPerson();
    const decide = (data: { status: "accepted" } | { status: "refused"; reason: string }) =>
      forAccount(accountId, (tx) => tx.accountDocument.updateMany({ where: { accountId, status: "sent" }, data }));
    for (let number = 0; number < 20; number += 1) {
      expect((await send("company", aPdf())).status).toBe(201);
      await decide({ status: "refused", reason: "x" });
    }
    for (let number = 0; number < 20; number += 1) {
      expect((await send("company", aPdf())).status).toBe(201);
      await decide({ status: "accepted" });
    }
    expect(await send("company", aPdf())).toMatchObject({ status: 422, json: { error: "document_limit_reached" } });
    expect(await documentsOf(accountId)).toHaveLength(40);
  });

  test("of another account, an unknown one and what is no id are answered alike", async () => {
    const [mine, theirs] = [await withPerson(), await withPerson()];
    const id = idOf(await theirs.send("company", aPdf()));
    const answers = await Promise.all([id, newId(), "x"].map((one) => fileOf(mine.headers, `${DOCUMENTS}/${one}`)));
    expect(new Set(answers.map(({ status, bytes }) => `${status} ${bytes}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    const byStaff = await aStaff();
    const path = `/api/operator/v1/accounts/${mine.accountId}/documents/${id}`;
    expect((await byStaff("GET", path)).status).toBe(404);
    expect((await byStaff("POST", `${path}/accept`)).status).toBe(404);
  });

  test("is not for roles that may not write, credentials, and people without a session; nor of a sandbox", async () => {
    for (const role of ["finance", "developer", "viewer"] as const) {
      const { accountId, headers, send } = await withPerson({ role });
      expect((await send("company", aPdf())).status, role).toBe(403);
      expect((await fileOf(headers, `${DOCUMENTS}/${newId()}`)).status, role).toBe(403);
      expect(await documentsOf(accountId)).toEqual([]);
    }
    const { token, send } = await withPerson();
    const id = idOf(await send("company", aPdf()));
    expect((await host.ask("GET", `${DOCUMENTS}/${id}`, { token })).status).toBe(401);
    expect((await host.ask("GET", `${DOCUMENTS}/${id}`)).status).toBe(401);
    expect((await send("passport", aPdf())).status).toBe(422);
    const sandbox = await withPerson({ mode: "sandbox" });
    expect(await sandbox.send("company", aPdf())).toMatchObject({ json: { error: "account_not_live" } });
  });

  test("sent again under its key is kept once", async () => {
    const { accountId, send } = await withPerson();
    const [key, file] = [newId(), aPdf()];
    const [first, again] = [await send("company", file, key), await send("company", file, key)];
    expect(again.text).toBe(first.text);
    expect(await eventsOf(accountId, "document")).toHaveLength(1);
  });
});

describe("the way to the approval", () => {
  async function complete() {
    const seller = await withPerson({ status: "pending" });
    await seller.ask("PATCH", ACCOUNT, { phone: "11987654321", address });
    await seller.ask("POST", `${ACCOUNT}/requests`, { legal_representative: aRepresentative() });
    for (const kind of ["company", "representative", "address"]) await seller.send(kind, aPdf());
    return seller;
  }

  test("says what is missing, takes the request once nothing is, and the same again changes nothing", async () => {
    const bare = await withPerson({ status: "pending" });
    const missing = [
      ...["phone", "address", "legal_representative"],
      ...["document_company", "document_representative", "document_address"],
    ];
    expect(await bare.ask("GET", DOCUMENTS)).toMatchObject({ json: { data: { missing, review_asked_at: null } } });
    const refused = await bare.ask("POST", `${ACCOUNT}/review`);
    expect(refused).toMatchObject({ status: 422, json: { error: "review_incomplete", missing: missing.join() } });
    expect((await rowOf(bare.accountId)).reviewAskedAt).toBeNull();

    const { accountId, ask } = await complete();
    expect(await ask("GET", "/api/dashboard/v1/overview")).toMatchObject({
      json: { data: { onboarding: { missing: [], review_asked_at: null } } },
    });
    const answers = await Promise.all([1, 2, 3].map(() => ask("POST", `${ACCOUNT}/review`)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const asked = (await eventsOf(accountId, "account")).filter(({ data }) => "review_asked_at" in (data as object));
    expect(asked).toHaveLength(1);
  });

  test("a refused document is mailed with its reason, is missing again, and stops the review; accepted ones stay", async () => {
    const { accountId, email, ask, send } = await complete();
    await ask("POST", `${ACCOUNT}/review`);
    const byStaff = await aStaff();
    const at = `/api/operator/v1/accounts/${accountId}`;
    const [company, , proof] = (await documentsOf(accountId)).map(({ id }) => `${at}/documents/${id}`);
    expect(await byStaff("POST", `${company}/accept`)).toMatchObject({ status: 200 });
    const reason = "O comprovante tem mais de três meses.";
    const both = await Promise.all([1, 2].map(() => byStaff("POST", `${proof}/refuse`, { reason })));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await byStaff("POST", `${company}/refuse`, { reason })).toMatchObject({ status: 409 });
    expect(await ask("GET", DOCUMENTS)).toMatchObject({
      json: { data: { missing: ["document_address"], review_asked_at: null } },
    });
    expect(await lettersTo(email)).toMatchObject([{ template: "document_refused", kind: "address", reason }]);
    await send("address", pictures.png);
    expect(await ask("POST", `${ACCOUNT}/review`)).toMatchObject({ status: 200 });
    expect(await byStaff("GET", at)).toMatchObject({ json: { data: { onboarding: { missing: [] } } } });
    expect(await byStaff("PATCH", at, { status: "approved" })).toMatchObject({ status: 200 });
    expect(await ask("POST", `${ACCOUNT}/review`)).toMatchObject({ status: 409 });
  });

  test("the staff may approve an account of which documents are missing", async () => {
    const { accountId } = await withPerson({ status: "pending" });
    const byStaff = await aStaff();
    const at = `/api/operator/v1/accounts/${accountId}`;
    expect(await byStaff("PATCH", at, { status: "approved" })).toMatchObject({ status: 200 });
  });
});

describe("closing an account", () => {
  const CLOSING = `${ACCOUNT}/closing`;
  const close = ({ ask, account }: Awaited<ReturnType<typeof withPerson>>, name = account.name) =>
    ask("POST", CLOSING, { name });

  test("ends its credentials and webhooks; pages are read, nothing is written, and the staff can open it again", async () => {
    const seller = await withPerson();
    const { accountId, email, token, ask } = seller;
    const body = { title: "Loja", url: "https://loja.example/aviso", event: "transaction" };
    await host.ask("POST", `${V1}/webhooks`, { token, body });
    expect((await seller.send("company", aPdf())).status).toBe(201);
    const documentClosedAt = async () => (await documentsOf(accountId)).map(({ accountClosedAt }) => accountClosedAt);
    expect(await close(seller)).toMatchObject({ status: 200 });
    expect(await readContext(accountId)).toMatchObject({ status: "closed" });
    expect(await documentClosedAt()).toEqual([expect.any(Date)]);
    expect((await host.ask("GET", `${V1}/balance`, { token })).status).toBe(401);
    expect(await ask("GET", `${V1}/webhooks`)).toMatchObject({ status: 200, json: { data: [] } });
    for (const [method, path, sent] of [
      ["POST", `${V1}/cash-in`, { amount: 10 }],
      ["POST", `${V1}/credentials`, { name: "Outra" }],
      ["PATCH", ACCOUNT, { phone: "11987654321" }],
      ["DELETE", `${ACCOUNT}/image`, undefined],
    ] as const) {
      expect(await ask(method, path, sent), path).toMatchObject({ status: 403, json: { error: "account_closed" } });
    }
    for (const path of [ACCOUNT, `${V1}/balance`, `${V1}/profile`]) expect((await ask("GET", path)).status).toBe(200);
    expect(await lettersTo(email)).toMatchObject([{ template: "account_closed", seller: seller.account.name }]);
    const byStaff = await aStaff();
    const at = `/api/operator/v1/accounts/${accountId}`;
    expect(await byStaff("PATCH", at, { status: "suspended" })).toMatchObject({ status: 409 });
    expect(await byStaff("PATCH", at, { status: "approved" })).toMatchObject({ status: 200 });
    expect(await documentClosedAt(), "documents are kept as those of any open account").toEqual([null]);
    expect((await host.ask("GET", `${V1}/balance`, { token })).status, "keys do not come back").toBe(401);
  });

  test.each([
    ["money that is available", (made: Made) => fund(made.accountId, 1, "live"), { available: "0.01" }],
  ] as const)("is refused with %s, which is said, and changes nothing", async (_, make, said) => {
    const seller = await withPerson();
    await make(seller);
    expect(await close(seller)).toMatchObject({ status: 409, json: { error: "account_in_use", ...said } });
    expect(await seller.ask("GET", CLOSING)).toMatchObject({ json: { data: said } });
    expect(await readContext(seller.accountId)).toMatchObject({ status: "approved" });
    expect((await host.ask("GET", `${V1}/balance`, { token: seller.token })).status).toBe(200);
  });

  test("counts what is open of each: balance held, blocked, subscriptions and charges", async () => {
    const seller = await withPerson({ mode: "sandbox" });
    await anActive(seller, await aPlan(seller));
    await host.ask("POST", `${V1}/cash-in`, { token: seller.token, body: { amount: 10 } });
    const { data } = (await seller.ask("GET", CLOSING)).json as { data: Record<string, number> };
    expect(data).toMatchObject({ subscriptions: 1, charges: 1, refunds: 0, held: "0.00" });
  });

  test("is its owner's, by its name, of a live account that is not suspended; of two at once one closes it", async () => {
    const admin = await withPerson({ role: "admin" });
    expect(await close(admin)).toMatchObject({ status: 403 });
    const owner = await withPerson();
    expect(await close(owner, "Outra loja")).toMatchObject({ status: 422 });
    const suspended = await withPerson({ status: "suspended" });
    expect(await close(suspended)).toMatchObject({ status: 409, json: { error: "invalid_transition" } });
    const sandbox = await withPerson({ mode: "sandbox" });
    expect(await close(sandbox)).toMatchObject({ status: 422, json: { error: "account_not_live" } });
    const both = await Promise.all([close(owner), close(owner)]);
    const [closed, ...others] = both.map(({ status }) => status).sort();
    expect(closed).toBe(200);
    expect([403, 409]).toContain(others[0]);
    const events = await eventsOf(owner.accountId, "account");
    expect(events.filter(({ data }) => "status" in (data as object))).toHaveLength(1);
  });
});
