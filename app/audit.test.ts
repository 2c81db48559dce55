import { describe, expect, test } from "vitest";
import { routes } from "@/app/routes.generated";
import { type Actor, actAs } from "@/lib/actor";
import { postAdjustment } from "@/lib/adjustments/post";
import { recordChange } from "@/lib/audit/record-change";
import { linkEvents } from "@/lib/audit-log/link-events";
import type { AuditEntry, AuditPage } from "@/lib/audit-log/schema";
import { forAccount, prisma, transactionFor, transactionOverAll } from "@/lib/db";
import { requestDeposit } from "@/lib/deposits/request";
import type { Happened } from "@/lib/events/consume";
import { newId } from "@/lib/ids";
import { createProduct } from "@/lib/products/create";
import { ProductInput } from "@/lib/products/schema";
import { updateProduct } from "@/lib/products/update";
import { openHost } from "@/lib/testing/http";
import { call, cashIn, type Made, makeAccount } from "@/lib/testing/make";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { aStaffPerson, cookieOf } from "@/lib/testing/staff";
import type { Role, StaffRole } from "@/prisma/client/enums";

const host = openHost(routes);
const AUDIT = "/api/dashboard/v1/audit";
const STAFF = "/api/operator/v1";
const IP = "203.0.113.7";

/** The person of a seller, with the headers of a session. */
async function personOf({ accountId }: Made, role: Role = "owner") {
  const where = { OR: [{ accountId }, { sandboxId: accountId }] };
  const { userId, accountId: live } = await prisma().membership.findFirstOrThrow({ where });
  await prisma().membership.update({ where: { userId_accountId: { userId, accountId: live } }, data: { role } });
  const { name } = await prisma().user.findUniqueOrThrow({ where: { id: userId } });
  return { userId, name, headers: { cookie: await cookieOf(userId, accountId), "x-account": accountId } };
}

const staff = async (roles?: StaffRole[]) => {
  const { userId, cookie } = await aStaffPerson(roles);
  return { userId, headers: { cookie, "sec-fetch-site": "same-origin" } };
};

type Headers = Record<string, string>;

async function read(headers: Headers, query = "", path = AUDIT): Promise<AuditPage> {
  const answer = await host.ask("GET", `${path}?${query}`, { headers });
  expect(answer, answer.text).toMatchObject({ status: 200 });
  return answer.json as unknown as AuditPage;
}

/** What the page says of each event, the last first. */
const said = ({ data }: AuditPage) =>
  data.map(({ type, name, actor, ip }) => [type, name, actor?.kind, actor?.name, ip]);

/** Links what happened in an account, as a worker does. */
async function link({ accountId }: Made) {
  const events = await forAccount(accountId, (tx) => tx.event.findMany({ where: { accountId } }));
  await transactionOverAll((query) => linkEvents(query, events as Happened[], () => {}));
}

/** A product that a person made and renamed, by a program, and money that the staff gave. */
async function busy(made: Made) {
  const { userId, name } = await personOf(made);
  const person: Actor = { kind: "person", id: userId, session: newId(), ip: IP };
  const requestId = newId();
  const id = await actAs(
    person,
    async () => (await createProduct(made.account, ProductInput.parse({ name: "Revista" }), call())).data.reference_id,
    requestId,
  );
  const credential: Actor = { kind: "credential", id: made.clientId, ip: "198.51.100.9" };
  await actAs(credential, () => updateProduct(made.account, { id, name: "Jornal" }));
  const { userId: staffId } = await aStaffPerson();
  const { accountId } = made;
  await actAs({ kind: "staff", id: staffId, ip: "192.0.2.1" }, () =>
    postAdjustment({ accountId, direction: "credit", amount: 500, reason: "Taxa errada." }, call()),
  );
  return { userId, name, id, requestId };
}

describe("a seller's audit", () => {
  test("says who did what to which record, from where, for which request, and what changed from what to what", async () => {
    const made = await makeAccount();
    const { headers } = await personOf(made);
    const { name, id, requestId } = await busy(made);
    const page = await read(headers);
    expect(said(page).slice(0, 3)).toEqual([
      ["adjustment.credited", "5.00", "staff", null, null],
      ["product.updated", "Jornal", "credential", "Teste", "198.51.100.9"],
      ["product.created", "Revista", "person", name, IP],
    ]);
    const [adjusted, updated, created] = page.data;
    expect(adjusted).toMatchObject({ reason: "Taxa errada.", changes: [] });
    expect(updated?.changes).toContainEqual({ name: "name", before: "Revista", after: "Jornal" });
    expect(created).toEqual({
      ...{ id: expect.any(String), at: expect.stringMatching(/Z$/), type: "product.created", subject: "product" },
      ...{ name: "Revista", record: { subject: "product", id }, status: null, reason: null, changes: [] },
      ...{ actor: { kind: "person", name }, ip: IP, request_id: requestId, number: null, state: "waiting" },
    } satisfies AuditEntry);
    expect(page.meta).toMatchObject({ account: { id: made.accountId }, verified: null });
    expect(page.meta.people).toContainEqual({ id: made.clientId, name: "Teste" });
  });

  test("says of each event whether it is as it was linked", async () => {
    const made = await makeAccount();
    const { headers } = await personOf(made);
    await busy(made);
    const { identifier } = await requestDeposit(made.account, cashIn(), call());
    await link(made);
    const numbers = (page: AuditPage) => page.data.map(({ number, state }) => [number, state]);
    const before = numbers(await read(headers));
    expect(before.map(([number]) => number)).toEqual(before.map((_, place) => before.length - place));
    expect(new Set(before.map(([, state]) => state))).toEqual(new Set(["intact"]));
    await connected(ownerUrl(), async (owner) => {
      await owner.query("select set_config('app.accounts', '*', false)");
      const change =
        "update events set record = record || '{\"name\": \"x\"}' where account_id = $1 and type = 'product.created'";
      await owner.query(change, [made.accountId]);
      const cleared = `update audit_links l set salt = null from events e
        where e.id = l.event_id and e.account_id = $1 and e.type = 'product.updated'`;
      await owner.query(cleared, [made.accountId]);
    });
    const redact = `select redact_events($1::uuid, array_agg(id)) from events where subject_id = $2::uuid`;
    await transactionFor(made.accountId, (query) => query("", redact, [made.accountId, identifier]));
    const states = (await read(headers)).data.map(({ type, state }) => [type, state]);
    expect(states.filter(([, state]) => state !== "intact")).toEqual([
      ["transaction.created", "redacted"],
      ["product.updated", "altered"],
      ["product.created", "altered"],
    ]);
  });

  test("is narrowed by who did it, by what it was done to and by when, and goes on page by page", async () => {
    const made = await makeAccount();
    const { headers } = await personOf(made);
    const { userId } = await busy(made);
    const types = async (query: string) => (await read(headers, query)).data.map(({ type }) => type);
    expect(await types("by=staff")).toEqual(["adjustment.credited"]);
    expect(await types("by=person")).toEqual(["product.created"]);
    expect(await types(`person=${userId}`)).toEqual(["product.created"]);
    expect(await types(`person=${made.clientId}`)).toEqual(["product.updated"]);
    expect(await types(`person=${newId()}`)).toEqual([]);
    expect(await types("subject=product")).toEqual(["product.updated", "product.created"]);
    expect(await types("subject=product&by=credential")).toEqual(["product.updated"]);
    expect(await types("from=2020-01-01&to=2020-12-31")).toEqual([]);
    const today = new Date().toISOString();
    expect(await types(`subject=product&to=${today}`)).toEqual(["product.updated", "product.created"]);
    const first = await read(headers, "subject=product&per_page=1");
    expect(first.meta).toMatchObject({ total: 2, next_cursor: first.data[0]?.id });
    expect(await types(`subject=product&per_page=1&cursor=${first.meta.next_cursor}`)).toEqual(["product.created"]);
    for (const wrong of ["by=nobody", "person=x", "subject=house", "from=yesterday"]) {
      expect((await host.ask("GET", `${AUDIT}?${wrong}`, { headers })).status, wrong).toBe(422);
    }
  });

  test("is a file, too, with the list's filters, whose cells no spreadsheet calculates", async () => {
    const made = await makeAccount();
    const { headers } = await personOf(made);
    const { id } = await busy(made);
    await actAs({ kind: "person" }, () => updateProduct(made.account, { id, name: "=1+1" }));
    const { status, text } = await host.ask("GET", `${AUDIT}/export?subject=product`, { headers });
    const lines = text.trimEnd().split("\r\n");
    expect([status, lines.length]).toEqual([200, 4]);
    expect(lines[0]).toBe("number,at,event,record,record_id,name,actor,actor_name,ip,request_id,reason,changes,state");
    expect(lines[1]).toContain("'=1+1");
    expect(lines[3]).toContain(`product.created,product,${id},Revista,person,`);
  });

  test("shows documents, e-mails and phones masked to whose role has them so, on the page and in the file", async () => {
    const made = await makeAccount();
    const { accountId } = made;
    const [before, after] = [
      {
        support_phone: "11912345678",
        legal_representative: { name: "Ana", document: "39053344705", phone: "2133334444" },
      },
      { support_phone: null, legal_representative: { name: "Ana", document: "52998224725", phone: "(21) 97777-8888" } },
    ];
    await forAccount(accountId, (tx) =>
      recordChange(tx, { accountId, subject: "account", id: accountId, verb: "updated", before, after }),
    );
    const whole = ["11912345678", "39053344705", "2133334444", "52998224725", "97777-8888"];
    const path = `${STAFF}/accounts/${accountId}/audit`;
    const shownTo = async (of: string, headers: Headers) => {
      const { status, text } = await host.ask("GET", of, { headers });
      const joined = text.replaceAll('""&""', ""); // a long text of a file for Excel is several
      return [status, whole.filter((value) => joined.includes(value))];
    };
    for (const file of ["", "/export", "/export?format=excel"]) {
      expect(await shownTo(AUDIT + file, (await personOf(made, "developer")).headers)).toEqual([200, []]);
      expect(await shownTo(AUDIT + file, (await personOf(made, "finance")).headers)).toEqual([200, whole]);
      expect(await shownTo(path + file, (await staff(["support"])).headers)).toEqual([200, []]);
      expect(await shownTo(path + file, (await staff()).headers)).toEqual([200, whole]);
    }
  });

  test("is for people alone, whose role allows it, and is nobody else's", async () => {
    const [made, other] = [await makeAccount(), await makeAccount()];
    await busy(made);
    const status = async (headers: Headers, path = AUDIT) => (await host.ask("GET", path, { headers })).status;
    for (const path of [AUDIT, `${AUDIT}/export`]) {
      expect(await status({ authorization: `Bearer ${made.token}` }, path)).toBe(401);
      expect(await status({}, path)).toBe(401);
      for (const role of ["owner", "admin", "finance", "developer", "viewer"] as const) {
        const { headers } = await personOf(made, role);
        expect(await status(headers, path), role).toBe(role === "viewer" ? 403 : 200);
      }
    }
    const { headers } = await personOf(other);
    expect((await read(headers)).data.some(({ subject }) => subject === "product")).toBe(false);
    expect(await status({ ...headers, "x-account": made.accountId })).toBe(409);
  });

  test("names a person that is of the account no longer", async () => {
    const made = await makeAccount();
    const { headers, name } = await personOf(made);
    const { userId } = await busy(made);
    await prisma().user.update({ where: { id: userId }, data: { name: "Ana Prado" } });
    expect(name).not.toBe("Ana Prado");
    expect((await read(headers, "by=person")).data[0]?.actor).toEqual({ kind: "person", name: "Ana Prado" });
  });
});

describe("the staff's audit", () => {
  test("of an account names the person of the staff and from where it acted", async () => {
    const made = await makeAccount();
    await busy(made);
    const { headers } = await staff();
    const page = await read(headers, "by=staff", `${STAFF}/accounts/${made.accountId}/audit`);
    expect(said(page)).toEqual([["adjustment.credited", "5.00", "staff", "Operação", "192.0.2.1"]]);
    expect(page.meta.account).toEqual({ id: made.accountId, name: made.account.name, mode: "sandbox" });
    const file = await host.ask("GET", `${STAFF}/accounts/${made.accountId}/audit/export?by=staff`, { headers });
    expect(file.text).toMatch(/adjustment\.credited,adjustment,.*,staff,Operação,192\.0\.2\.1,/);
  });

  test("of what the staff did as such is the platform's own", async () => {
    const { headers } = await staff();
    const page = await read(headers, "", `${STAFF}/audit`);
    expect(page.meta.account).toBeNull();
    expect((await host.ask("GET", `${STAFF}/audit/export`, { headers })).status).toBe(200);
  });

  test("lists what was published of all chains, and of each account as a file", async () => {
    const { headers } = await staff();
    const listed = await host.ask("GET", `${STAFF}/audit/publications`, { headers });
    expect(listed).toMatchObject({ status: 200, json: { data: expect.any(Array) } });
    const heads = await host.ask("GET", `${STAFF}/audit/heads`, { headers });
    expect([heads.status, heads.text.split("\r\n")[0]]).toEqual([200, "account_id,number,hash"]);
  });

  test.each(["audit", "audit/export", "audit/heads", "audit/publications"])(
    "is for the staff alone, and an account that does not exist is not found: %s",
    async (path) => {
      const made = await makeAccount();
      const { headers } = await personOf(made);
      const { headers: own } = await staff();
      const status = async (of: string, by: Headers) =>
        (await host.ask("GET", `${STAFF}/${of}`, { headers: by })).status;
      expect([await status(path, headers), await status(path, {})]).toEqual([401, 401]);
      if (path.startsWith("audit/h") || path.startsWith("audit/p")) return;
      expect(await status(`accounts/${made.accountId}/${path}`, headers)).toBe(401);
      for (const id of [newId(), "x"]) expect(await status(`accounts/${id}/${path}`, own)).toBe(404);
    },
  );
});
