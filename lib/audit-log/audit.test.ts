import fc from "fast-check";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { actAs } from "@/lib/actor";
import { recordChange } from "@/lib/audit/record-change";
import { checks } from "@/lib/audit-log/checks";
import { linkEvents } from "@/lib/audit-log/link-events";
import { linkPast } from "@/lib/audit-log/link-past";
import { printed } from "@/lib/audit-log/printed";
import { publishHeads } from "@/lib/audit-log/publish";
import { type AuditFault, verifyAgain, verifyAudit } from "@/lib/audit-log/verify";
import { forAccount, pool, transactionOverAll } from "@/lib/db";
import { eventsConsumer } from "@/lib/events/consume";
import { newId, sha256 } from "@/lib/ids";
import { lettersTo } from "@/lib/testing/mails";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { aStaffPerson } from "@/lib/testing/staff";

/** A consumer takes the events of all accounts, and a chain is verified whole, so these tests have a database of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterEach(() =>
  asForger(
    "truncate events, outbox, outbox_of_consumers, audit_links, audit_marks, audit_publications, audit_walks, mails",
  ),
);
afterAll(() => drop());

/** Statements of the owner's role, which is not held back by rights and can switch triggers off. Returns the last one's rows. */
const asOwner = (...texts: string[]) =>
  connected(ownerUrl(), async (client) => {
    let rows: Record<string, unknown>[] = [];
    await client.query("select set_config('app.accounts', '*', false)");
    for (const text of texts) ({ rows } = await client.query(text));
    return rows;
  });

/** The same with the triggers off, as somebody would who has the database. */
const asForger = (...texts: string[]) => asOwner("set session_replication_role = replica", ...texts);

/** Writes `count` events of an account. Returns their ids in the order in which they happened. */
async function happen(accountId: string, count: number): Promise<string[]> {
  const text = `with happened as (
      insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
      select $1::uuid, new_id(), 'test.happened', 'transaction', new_id(), '{"n": {"after": 1.50, "before": null}}',
        '{"name": "Ana \\"Ñ\\" Prado", "of": [1, 2.0, {"é": "\\u0007"}], "client_email": "ana@example.com"}', new_id(),
        '{"kind": "person", "id": "p", "ip": "192.0.2.7"}', now()
      from generate_series(1, $2) returning account_id, id
    ), enqueued as (insert into outbox (account_id, event_id) select account_id, id from happened)
    select array_agg(id::text order by id) as ids from happened`;
  const rows = await transactionOverAll((query) => query<{ ids: string[] }>("", text, [accountId, count]));
  return rows[0]?.ids ?? [];
}

/** Links all that waits, as the two loops of a worker do. */
async function link() {
  const { consume, catchUp } = eventsConsumer({ audit: linkEvents });
  for (let isMore = true; isMore; ) {
    isMore = await consume();
    isMore = (await catchUp()) || isMore;
  }
}

const linked = (accountId: string) =>
  asOwner(`select sequence::int, event_id as id from audit_links where account_id = '${accountId}' order by sequence`);

const orderOf = async (accountId: string) => (await linked(accountId)).map(({ id }) => id);

/** An account whose events are linked. */
async function chain(count: number) {
  const accountId = newId();
  const ids = await happen(accountId, count);
  await link();
  return { accountId, ids };
}

const faults = async (accountId?: string) => (await verifyAudit(accountId)).faults;

const named = (found: AuditFault[]) => found.map(({ fault, accountId, id }) => ({ fault, accountId, id }));

test("every event is linked to its account's chain in the order in which it happened, and the chains verify", async () => {
  const [one, other] = [newId(), newId()];
  const ids = [await happen(one, 3), await happen(other, 700), await happen(one, 2)];
  await forAccount(one, (tx) =>
    recordChange(tx, { accountId: one, subject: "product", id: newId(), verb: "created", after: { name: "Revista" } }),
  );
  await link();
  const order = await linked(one);
  expect(order.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(order.slice(0, 5).map(({ id }) => id)).toEqual([...(ids[0] ?? []), ...(ids[2] ?? [])]);
  expect(await orderOf(other)).toEqual(ids[1]);
  expect(await verifyAudit()).toEqual({ faults: [], chains: 2, links: 706, redacted: 0, roots: [] });
  expect(await verifyAudit(other)).toMatchObject({ faults: [], chains: 1, links: 700 });
});

test("of many loops at once one links each event, and none of them waits or fails", async () => {
  const accounts = Array.from({ length: 3 }, newId);
  for (const account of accounts) await happen(account, 400);
  await Promise.all(Array.from({ length: 4 }, link));
  await link();
  expect(await verifyAudit()).toMatchObject({ faults: [], chains: 3, links: 1_200 });
  expect(await asOwner("select from outbox union all select from outbox_of_consumers")).toEqual([]);
});

test("events of an account that another transaction links are left, and are linked after it", async () => {
  const accountId = newId();
  const [first, second] = await happen(accountId, 2);
  await connected(ownerUrl(), async (client) => {
    await client.query("begin; select set_config('app.accounts', '*', true)");
    const text = "select busy_event_id as id from audit_link($1::uuid[], $2::uuid[])";
    expect((await client.query(text, [[accountId], [first]])).rows).toEqual([]);
    const busy = await transactionOverAll((query) => query("", text, [[accountId], [second]]));
    expect(busy).toEqual([{ id: second }]);
    await client.query("commit");
  });
  await link();
  expect(await orderOf(accountId)).toEqual([first, second]);
  expect(await faults()).toEqual([]);
});

test("an event that commits late is linked after those that were linked before it", async () => {
  const accountId = newId();
  let late = "";
  await connected(ownerUrl(), async (client) => {
    await client.query("begin; select set_config('app.accounts', '*', true)");
    const text = `with happened as (
        insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
        select $1::uuid, new_id(), 'test.happened', 'test', new_id(), '{}', '{}', now() returning account_id, id
      ), enqueued as (insert into outbox (account_id, event_id) select account_id, id from happened)
      select id from happened`;
    late = (await client.query(text, [accountId])).rows[0].id;
    const ids = await happen(accountId, 2);
    await link();
    expect(await orderOf(accountId)).toEqual(ids);
    await client.query("commit");
    await link();
    expect(late < (ids[0] ?? "")).toBe(true);
    expect(await orderOf(accountId)).toEqual([...ids, late]);
  });
  expect(await faults()).toEqual([]);
});

test("what happened before there were chains is linked in sets, by one loop at a time, and is no fault until then", async () => {
  const [one, other] = [newId(), newId()];
  const ids = [...(await happen(one, 700)), ...(await happen(other, 3))];
  const begin = "00000000-0000-0000-0000-000000000000";
  await asForger("delete from outbox", `insert into audit_walks values ('link', '${begin}', '${begin}')`);
  expect(await verifyAudit()).toMatchObject({ faults: [], links: 0 });
  await connected(ownerUrl(), async (another) => {
    await another.query("begin; select from audit_walks for update");
    expect(await linkPast()).toBe(false);
    await another.query("rollback");
  });
  expect(await linkPast()).toBe(true);
  const meanwhile = [...(await happen(one, 1)), ...(await happen(other, 1))];
  await link();
  expect(await verifyAudit()).toMatchObject({ faults: [], links: 500 + 2 });
  while (await linkPast());
  expect(await verifyAudit()).toMatchObject({ faults: [], chains: 2, links: 705 });
  expect([...(await orderOf(one)), ...(await orderOf(other))].sort()).toEqual([...ids, ...meanwhile].sort());
  expect(await asOwner("select from audit_walks")).toEqual([]);
  await asForger("delete from audit_links where sequence = 1");
  expect((await faults()).filter(({ fault }) => fault === "event_inserted")).toHaveLength(2);
});

describe("one thing that was planted in a chain of ten is named:", () => {
  type Planted = { fault: AuditFault["fault"]; number: number | null; texts: (of: Of) => string[] };
  /** SQL: the links of the account with these numbers, and its event with this number. */
  type Of = { links: string; event: (number: number) => string };

  const changed = (column: string, value: string): Planted => ({
    ...{ fault: "event_altered", number: 4 },
    texts: ({ event }) => [`update events set ${column} = ${value} where ${event(4)}`],
  });
  /** Gives links other numbers, in two steps, because no two may have the same. */
  const renumber = (links: string, number: string) => [
    `update audit_links set sequence = -(${number}) where ${links} and ${number} <> sequence`,
    `update audit_links set sequence = -sequence where ${links} and sequence < 0`,
  ];
  const swapped = (one: number, other: number): Planted => ({
    ...{ fault: "event_moved", number: other },
    texts: ({ links }) =>
      renumber(links, `case sequence when ${one} then ${other} when ${other} then ${one} else sequence end`),
  });

  test.each<[what: string, planted: Planted]>([
    ...["data", "record", "actor"].map((member): [string, Planted] => [
      `${member} has another member`,
      changed(member, `${member} || '{"x": 1}'`),
    ]),
    ...Object.entries({
      ...{ type: "'test.other'", subject: "'other'", subject_id: "new_id()", request_id: "null" },
      occurred_at: "occurred_at + interval '1 microsecond'",
    }).map(([column, value]): [string, Planted] => [`${column} is another`, changed(column, value)]),
    [
      "a name in the record is another, and the link's digest is of it",
      {
        ...{ fault: "event_altered", number: 4 },
        texts: ({ links, event }) => [
          `update events set record = jsonb_set(record, '{name}', '"Bia"') where ${event(4)}`,
          `update audit_links l set digest = sha256(uuid_send(l.salt) || convert_to(
            e.data::text || E'\\n' || e.record::text || E'\\n' || e.actor::text, 'UTF8'))
            from events e where e.account_id = l.account_id and e.id = l.event_id and l.${links} and sequence = 4`,
        ],
      },
    ],
    [
      "the event was deleted",
      { fault: "event_missing", number: 4, texts: ({ event }) => [`delete from events where ${event(4)}`] },
    ],
    [
      "the event was deleted with its link",
      {
        ...{ fault: "event_missing", number: null },
        texts: ({ links, event }) => [
          `delete from events where ${event(4)}`,
          `delete from audit_links where ${links} and sequence = 4`,
        ],
      },
    ],
    [
      "the event was deleted with its link, and those after it have new numbers",
      {
        ...{ fault: "event_altered", number: 5 },
        texts: ({ links, event }) => [
          `delete from events where ${event(4)}`,
          `delete from audit_links where ${links} and sequence = 4`,
          ...renumber(links, "case when sequence > 4 then sequence - 1 else sequence end"),
        ],
      },
    ],
    ["two were swapped with all of their links", swapped(4, 7)],
    ["two neighbours were swapped with all of their links", swapped(4, 5)],
    [
      "two were swapped under the hashes that were there",
      {
        ...{ fault: "event_moved", number: 7 },
        texts: ({ links }) => [
          `create temp table kept as select * from audit_links where ${links} and sequence in (4, 7)`,
          `update audit_links set event_id = new_id() where ${links} and sequence in (4, 7)`,
          `update audit_links l set event_id = k.event_id, salt = k.salt, digest = k.digest
            from kept k where l.${links} and l.sequence + k.sequence = 11`,
        ],
      },
    ],
  ])("%s", async (_, { fault, number, texts }) => {
    const { accountId, ids } = await chain(10);
    const { accountId: beside } = await chain(3);
    const event = (nth: number) => `id = '${ids[nth - 1]}'`;
    await asForger(...texts({ links: `account_id = '${accountId}'`, event }));
    const found = [{ fault, accountId, id: number === null ? "" : ids[number - 1] }];
    expect(named(await faults())).toEqual(found);
    expect(named(await faults(accountId))).toEqual(found);
    expect(await faults(beside)).toEqual([]);
  });

  test("an event that was inserted beside the program", async () => {
    const { accountId, ids } = await chain(10);
    const id = newId();
    await asForger(`insert into events (account_id, id, type, subject, subject_id, data, record, occurred_at)
      select account_id, '${id}', type, subject, subject_id, data, record, occurred_at from events where id = '${ids[3]}'`);
    expect(named(await faults())).toEqual([{ fault: "event_inserted", accountId, id }]);
  });

  test("an event that was inserted with a link of its own, whose hash follows from the one before it", async () => {
    const { accountId, ids } = await chain(10);
    const id = (await happen(accountId, 1))[0] ?? "";
    await link();
    await asForger(
      "update audit_links set sequence = -sequence where sequence >= 5",
      `update audit_links l set sequence = case -sequence when 11 then 5 else -sequence + 1 end where sequence < 0`,
      `update audit_links l set hash = sha256((select hash from audit_links where sequence = 4) || (
        select ${WRITTEN_SQL} from events e where e.id = l.event_id)) where sequence = 5`,
    );
    expect(await orderOf(accountId)).toEqual([...ids.slice(0, 4), id, ...ids.slice(4)]);
    expect(named(await faults())).toEqual([{ fault: "event_inserted", accountId, id }]);
  });

  test("the tail was cut, events and all: only what was published tells", async () => {
    const { accountId, ids } = await chain(10);
    const cut = [
      `delete from audit_links where sequence > 7`,
      `delete from events where id in ('${ids.slice(7).join("','")}')`,
    ];
    await publishHeads();
    await asForger(...cut);
    expect(await faults()).toEqual([
      {
        fault: "chain_cut",
        accountId,
        id: "",
        detail: expect.stringMatching(/^link 10 is gone, which was published at /),
      },
    ]);
  });

  test("the whole chain was written anew: it differs from what was published", async () => {
    const { accountId, ids } = await chain(10);
    await publishHeads();
    await asForger(`update events set type = 'test.other' where id = '${ids[3]}'`, "delete from audit_links");
    await transactionOverAll((query) =>
      query("", "select audit_link(array_fill($1::uuid, array[10]), $2::uuid[])", [accountId, ids]),
    );
    expect(named(await faults())).toEqual([{ fault: "chain_rewritten", accountId, id: "" }]);
  });

  test("the chain and all that was published of it were written anew: the root is another than the staff was mailed", async () => {
    const { accountId, ids } = await chain(10);
    await publishHeads();
    const [before] = (await verifyAudit()).roots;
    await asForger(`update events set type = 'test.other' where id = '${ids[3]}'`, "delete from audit_links");
    await transactionOverAll((query) =>
      query("", "select audit_link(array_fill($1::uuid, array[10]), $2::uuid[])", [accountId, ids]),
    );
    await asForger("update audit_marks m set hash = l.hash from audit_links l where l.sequence = m.sequence");
    expect(await faults()).toMatchObject([{ fault: "root_differs" }]);
    const [after] = (await verifyAudit()).roots;
    expect(after?.root).not.toBe(before?.root);
  });
});

test("a fault in a long chain is named after a look at the links around it alone", async () => {
  const accountId = newId();
  const ids = await happen(accountId, 12_000);
  const text = "select audit_link(array_fill($1::uuid, array[cardinality($2::uuid[])]), $2::uuid[])";
  for (let at = 0; at < ids.length; at += 1_000) {
    await transactionOverAll((query) => query("", text, [accountId, ids.slice(at, at + 1_000)]));
  }
  await asForger(`update events set type = 'x' where id = '${ids[1]}'`);
  const sent = vi.spyOn(pg.Client.prototype, "query");
  expect(named(await faults(accountId))).toEqual([{ fault: "event_altered", accountId, id: ids[1] }]);
  const answers = await Promise.all(sent.mock.results.map(({ value }) => value as Promise<pg.QueryResult> | undefined));
  sent.mockRestore();
  const most = Math.max(...answers.map((answer) => answer?.rows?.length ?? 0));
  expect(most).toBeGreaterThan(5_000);
  expect(most).toBeLessThanOrEqual(10_001);
});

const WRITTEN_SQL = `uuid_send(e.account_id) || uuid_send(e.id) || uuid_send(e.subject_id) || timestamptz_send(e.occurred_at)
  || l.digest || convert_to(e.type, 'UTF8') || '\\x00' || convert_to(e.subject, 'UTF8') || '\\x00'
  || convert_to(e.request_id::text, 'UTF8') || '\\x00' || convert_to(e.actor ->> 'kind', 'UTF8') || '\\x00'
  || convert_to(e.actor ->> 'id', 'UTF8')`;

describe("an event whose content was given up", () => {
  const REDACT = "select redact_events($1::uuid, $2::uuid[])";

  /** A chain of which an erasure redacted the second and the fourth event, each by itself. */
  async function redacted() {
    const { accountId, ids } = await chain(5);
    for (const id of [ids[1], ids[3]]) {
      await transactionOverAll((query) => query("", REDACT, [accountId, [id]]));
    }
    return { accountId, ids };
  }

  test("stays in the chain, which still verifies, and the event that names it is linked with it", async () => {
    const { accountId, ids } = await redacted();
    expect(await verifyAudit()).toMatchObject({ faults: [], links: 7, redacted: 2 });
    const [event] = await asOwner(`select e.*, l.sequence::int, l.salt is null as is_given_up from events e
      join audit_links l on l.event_id = e.id where id = '${ids[1]}'`);
    expect(event).toMatchObject({ sequence: 2, is_given_up: true, record: { of: [1, 2, { é: "\u0007" }] } });
    expect(event?.record).not.toHaveProperty("client_email");
    const [naming] = await asOwner(`select * from events where id = '${event?.redacted_by}'`);
    expect(naming).toMatchObject({
      ...{ account_id: accountId, type: "customer_data.redacted", actor: { kind: "system" } },
      record: { [String(ids[1])]: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await orderOf(accountId)).toContain(event?.redacted_by);
  });

  test("before it was linked is linked as it was left", async () => {
    const accountId = newId();
    const ids = await happen(accountId, 2);
    await transactionOverAll((query) => query("", REDACT, [accountId, ids]));
    await link();
    expect(await verifyAudit()).toMatchObject({ faults: [], links: 3, redacted: 0 });
  });

  test.each<[what: string, number: number, text: string]>([
    ["has another record", 2, `update events set record = '{"x": 1}' where $2`],
    ["is about another", 2, "update events set subject_id = new_id() where $2"],
    ["was redacted by an event that is in no chain", 2, "delete from audit_links where sequence = 6"],
    [
      "was redacted by another's event",
      2,
      "update events set redacted_by = (select redacted_by from events where $4) where $2",
    ],
    ["says of nobody who redacted it", 2, "update events set redacted_by = null where $2"],
    ["was not redacted and lost its salt by hand", 3, "update audit_links set salt = null where sequence = 3"],
    [
      "lost its salt by hand and has another record, which claims an erasure",
      3,
      `with cleared as (update audit_links set salt = null where sequence = 3)
        update events set record = '{"x": 1}', redacted_by = (select redacted_by from events where $2) where $3`,
    ],
  ])("is found where it %s", async (_, number, text) => {
    const { accountId, ids } = await redacted();
    await asForger(text.replace(/\$(\d)/g, (_all, nth) => `id = '${ids[nth - 1]}'`));
    expect(named(await faults(accountId))).toContainEqual({ fault: "event_altered", accountId, id: ids[number - 1] });
  });
});

test("the owner may clear a link's salt, and nobody may change or delete what else is in a chain or was published", async () => {
  await chain(2);
  await publishHeads();
  await asOwner("update audit_links set salt = null where sequence = 1");
  for (const text of [
    "update audit_links set hash = ''",
    "update audit_links set digest = ''",
    "update audit_links set sequence = sequence + 7",
    "delete from audit_links",
    "truncate audit_links",
    "update audit_marks set hash = ''",
    "delete from audit_marks",
    "truncate audit_marks",
    "update audit_publications set root = ''",
    "delete from audit_publications",
    "truncate audit_publications",
  ]) {
    await expect(asOwner(text), text).rejects.toMatchObject({ code: "42501" });
  }
});

test.each([
  "update events set type = 'x'",
  "delete from events",
  "truncate events",
  "insert into audit_links select account_id, sequence + 100, gen_random_uuid(), salt, digest, hash from audit_links",
  "update audit_links set salt = null",
  "delete from audit_links",
  "truncate audit_links",
  "update audit_marks set hash = ''",
  "delete from audit_publications",
])("the program's role cannot: %s", async (text) => {
  await chain(1);
  await expect(pool().query(text)).rejects.toMatchObject({ code: "42501" });
});

test("the program links only events of accounts in its scope, and only those that are there", async () => {
  const accountId = newId();
  const ids = await happen(accountId, 1);
  const text = "select busy_event_id from audit_link(array[$1::uuid], array[$2::uuid])";
  await expect(forAccount(newId(), (tx) => tx.$queryRawUnsafe(text, accountId, ids[0]))).rejects.toThrow(
    /not in scope/,
  );
  await forAccount(accountId, (tx) => tx.$queryRawUnsafe(text, accountId, newId()));
  expect(await linked(accountId)).toEqual([]);
});

test("a link's hashes are those that are written down, whatever PostgreSQL it runs on", async () => {
  const accountId = "0199c0de-0000-7000-8000-0000000000aa";
  const id = "0199c0de-0000-7000-8000-000000000001";
  await asOwner(`insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
    values ('${accountId}', '${id}', 'product.updated', 'product', '${id}', '{"b": 1.50, "aa": [true, null]}',
      '{"name": "É \\"1\\""}', null, '{"kind": "person", "id": "p"}', '2026-11-26 12:00:00.000001Z')`);
  await transactionOverAll((query) =>
    query("", "select audit_link(array[$1::uuid], array[$2::uuid])", [accountId, id]),
  );
  const [link] = await asOwner("select replace(salt::text, '-', '') as salt, digest, hash from audit_links");
  const content = '{"b": 1.50, "aa": [true, null]}\n{"name": "É \\"1\\""}\n{"id": "p", "kind": "person"}';
  const hex = (text: string) => Buffer.from(text.replaceAll("-", ""), "hex");
  const digest = sha(hex(String(link?.salt)), Buffer.from(content));
  expect(link?.digest).toEqual(digest);
  const occurred = Buffer.alloc(8);
  occurred.writeBigInt64BE(
    BigInt(Date.parse("2026-11-26T12:00:00Z") - Date.parse("2000-01-01T00:00:00Z")) * 1_000n + 1n,
  );
  const fixed = [hex(accountId), hex(id), hex(id), occurred, digest];
  expect(link?.hash).toEqual(sha(...fixed, Buffer.from("product.updated\0product\0\0person\0p")));
});

const sha = (...parts: Buffer[]) => sha256(Buffer.concat(parts));

test("JSON is printed as PostgreSQL prints jsonb, whatever its blanks and the order of its members are", async () => {
  await connected(ownerUrl(), async (client) => {
    const texts = fc.sample(fc.json({ maxDepth: 4 }), 500).map((json) => json.replaceAll("\\u0000", ""));
    const { rows } = await client.query("select text, text::jsonb::text as printed from unnest($1::text[]) text", [
      [...texts, '{"b": 1.50, "aa": -1.20, "é": "\\u00e9\\u0007\\/",  "": []}', "12345678901234567890.10", '"\u007f"'],
    ]);
    for (const row of rows) {
      expect(printed(row.printed)).toBe(row.printed);
      const isSame = !/\d[eE]|-0\b/.test(row.text); // of numbers PostgreSQL keeps the value
      if (isSame) expect(printed(row.text)).toBe(row.printed);
    }
  });
});

describe("what is published", () => {
  test("is mailed to the staff as one root, once while nothing happens, and again for a fault in what was verified before", async () => {
    const { userId } = await aStaffPerson();
    const email = `${userId}@example.com`;
    const { accountId, ids } = await chain(3);
    await publishHeads();
    await publishHeads();
    const [{ root } = { root: "" }, ...more] = (await verifyAudit()).roots;
    expect(more).toEqual([]);
    expect(await lettersTo(email)).toMatchObject([
      {
        template: "audit_published",
        root,
        accounts: 1,
        links: 3,
        faults: 0,
        url: expect.stringContaining("/operator/audit"),
      },
    ]);

    await happen(accountId, 2);
    await chain(1);
    await publishHeads();
    expect((await lettersTo(email)).at(-1)).toMatchObject({ accounts: 2, links: 6, faults: 0 });
    await asForger(`update events set type = 'x' where id = '${ids[0]}'`);
    await publishHeads();
    expect((await lettersTo(email)).at(-1)).toMatchObject({ accounts: 2, links: 6, faults: 1 });
    expect(await faults()).toMatchObject([{ fault: "event_altered", id: ids[0] }]);
    expect((await verifyAudit()).roots.map(({ isSame }) => isSame)).toEqual([true, true, true]);
  });

  test("of a chain with a fault is what it was, and the fault is counted in the mail", async () => {
    const { userId } = await aStaffPerson();
    const { accountId } = await chain(3);
    await publishHeads();
    const more = await happen(accountId, 2);
    await chain(4);
    await asForger(`update events set type = 'x' where id = '${more[0]}'`);
    await publishHeads();
    const letters = await lettersTo(`${userId}@example.com`);
    expect(letters.at(-1)).toMatchObject({ accounts: 2, links: 7, faults: 1 });
    expect(await asOwner(`select sequence::int from audit_marks where account_id = '${accountId}'`)).toEqual([
      { sequence: 3 },
    ]);
  });

  test("at once by two workers is published once", async () => {
    const { userId } = await aStaffPerson();
    await chain(3);
    await Promise.all([publishHeads(), publishHeads()]);
    expect(await lettersTo(`${userId}@example.com`)).toHaveLength(1);
  });
});

test("what was verified before is verified again, some links at a time and round and round", async () => {
  const [{ accountId: one, ids }, { accountId: other, ids: others }] = [await chain(10), await chain(3)];
  const again = async () => {
    const found: AuditFault[] = [];
    await verifyAgain(found, 4);
    return named(found);
  };
  await publishHeads(); // it walks them all, and begins anew
  const [seventh, last] = [ids[6] ?? "", others[2] ?? ""];
  await asForger(`update events set type = 'x' where id in ('${seventh}', '${last}')`);
  const [inOne, inOther] = [
    [{ fault: "event_altered", accountId: one, id: seventh }],
    [{ fault: "event_altered", accountId: other, id: last }],
  ];
  const walk = [await again(), await again(), await again(), await again(), await again(), await again()];
  expect(walk).toEqual([[], inOne, [], inOther, [], inOne]);
  await asForger("delete from audit_links where sequence > 7"); // with the one at which it would go on
  expect(await again()).toEqual([{ fault: "chain_cut", accountId: one, id: "" }]);
});

test("reconcile names an event that has waited to be linked for more than an hour", async () => {
  const accountId = newId();
  const [id] = await happen(accountId, 1);
  const found = () => asOwner(String(checks.event_not_linked));
  expect(await found()).toEqual([]);
  const old = newId(new Date(Date.now() - 2 * 3_600_000));
  await asForger(`update events set id = '${old}' where id = '${id}'`, `update outbox set event_id = '${old}'`);
  expect(await found()).toMatchObject([{ account_id: accountId, id: old }]);
  await link();
  expect(await found()).toEqual([]);
  await actAs({ kind: "system" }, () =>
    forAccount(accountId, (tx) => recordChange(tx, { accountId, subject: "mail", id: newId(), verb: "resent" })),
  );
  expect(await found()).toEqual([]);
});
