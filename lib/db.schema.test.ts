import { randomBytes, randomUUID } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newId } from "@/lib/ids";
import { PLATFORM } from "@/lib/ledger/chart";
import { connected, ownerUrl } from "@/lib/testing/own-database";

/** A module of the launcher, imported by its path because it is JavaScript. */
const launcher = (file: string) => import(pathToFileURL(join(process.cwd(), "bin", file)).href);
const { migrate, readMigrations } = await launcher("migrations.mjs");
const { readCatalogue, readCatalogueFile, differences, checkSchema } = await launcher("catalogue.mjs");
const { prepareDatabase } = await launcher("database.mjs");

type Migration = { name: string; text: string; checksum: string };
const SECRET = "s".repeat(43);
const expected: Record<string, string> = readCatalogueFile().objects;

/**
 * The statements that drop each object with a definition and make it again as PostgreSQL prints it, in an order that
 * PostgreSQL accepts: what others depend on is dropped last and made first.
 */
const REMADE = `
  with ours as (
    select oid, oid::regclass::text as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relname <> '_prisma_migrations'
  ), object as (
    select 1 as rank, format('alter table %s drop constraint %I', t.name, c.conname) as dropped,
      format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid)) as made
    from ours t join pg_constraint c on c.conrelid = t.oid where c.contype = 'f'
    union all select 2, format('alter table %s drop constraint %I', t.name, c.conname),
      format('alter table %s add constraint %I %s', t.name, c.conname, pg_get_constraintdef(c.oid))
    from ours t join pg_constraint c on c.conrelid = t.oid where c.contype in ('p', 'u', 'c', 'x')
    union all select 3, format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
    from ours t join pg_index i on i.indrelid = t.oid
    where not exists (select from pg_constraint c where c.conindid = i.indexrelid and c.conrelid = t.oid)
    union all select 4, format('drop trigger %I on %s', g.tgname, t.name), pg_get_triggerdef(g.oid)
    from ours t join pg_trigger g on g.tgrelid = t.oid and not g.tgisinternal
    union all select 5, format('drop policy %I on %s', p.polname, t.name), concat_ws(' ',
      format('create policy %I on %s', p.polname, t.name), case when not p.polpermissive then 'as restrictive' end, 'for',
      case p.polcmd when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
      'using (' || pg_get_expr(p.polqual, p.polrelid) || ')',
      'with check (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')')
    from ours t join pg_policy p on p.polrelid = t.oid
    union all select 6, format('alter table %s alter %I drop default', t.name, a.attname),
      format('alter table %s alter %I set default %s', t.name, a.attname, pg_get_expr(d.adbin, d.adrelid))
    from ours t join pg_attribute a on a.attrelid = t.oid and a.attgenerated = ''
    join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum
    union all select 7, null, pg_get_functiondef(oid) from pg_proc
    where pronamespace = 'public'::regnamespace and prokind = 'f'
  )
  select statement from object, lateral (values (rank, dropped), (100 - rank, made)) as s (turn, statement)
  where statement is not null order by turn`;

/** An empty database; its `drop` also drops the role that a start makes for it. */
async function emptyDatabase() {
  const name = `repasse_test_${randomBytes(6).toString("hex")}`;
  await connected(ownerUrl(), (owner) => owner.query(`create database ${name}`));
  const url = new URL(ownerUrl());
  url.pathname = `/${name}`;
  const drop = () =>
    connected(ownerUrl(), async (owner) => {
      await owner.query(`drop database ${name} with (force)`);
      await owner.query(`drop role if exists ${name}_program`);
    });
  return { url: url.href, drop };
}

test("the catalogue lists every object that the migrations make (npm run catalogue renews it)", async () => {
  const { url, drop } = await emptyDatabase();
  await connected(url, async (client) => {
    await migrate(client);
    expect(await readCatalogue(client)).toEqual(expected);
  });
  await drop();
});

test("every definition is printed alike once PostgreSQL has executed it as printed, as a restored dump does", async () => {
  const { url, drop } = await emptyDatabase();
  await connected(url, async (client) => {
    await migrate(client);
    await client.query("set search_path = ''; set check_function_bodies = off"); // as a dump does
    const { rows } = await client.query(REMADE);
    for (const { statement } of rows) await client.query(statement);
    expect(rows.length).toBeGreaterThan(Object.keys(expected).length / 2);
    expect(await readCatalogue(client)).toEqual(expected);
  });
  await drop();
});

test("every table of many rows an account is planned as if one account owned it", async () => {
  const { rows } = await connected(ownerUrl(), (owner) =>
    owner.query(`select c.relname from pg_class c
      join pg_index i on i.indrelid = c.oid and i.indisprimary and i.indnkeyatts > 1
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0] and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attoptions is distinct from '{n_distinct=1}'`),
  );
  expect(rows).toEqual([]);
});

test("a released migration is never changed, and a new one is in the catalogue (npm run catalogue adds it)", () => {
  const migrations = (readMigrations() as Migration[]).map(({ name, checksum }) => [name, checksum]);
  expect(Object.fromEntries(migrations)).toEqual(readCatalogueFile().migrations);
});

test("each migration can run in one transaction: none ends it, none must run outside one", () => {
  for (const { name, text } of readMigrations() as Migration[]) {
    expect(text, name).not.toMatch(
      /^\s*(begin|start transaction|commit|end|rollback)\s*;|\bconcurrently\b|\bvacuum\b/im,
    );
  }
});

describe("a start", () => {
  let client: pg.Client;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    const made = await emptyDatabase();
    drop = made.drop;
    client = new pg.Client({ connectionString: made.url });
    await client.connect();
    await migrate(client);
  });
  afterAll(async () => {
    await client.end();
    await drop();
  });

  /** The sentences of a start about a database after this change, which is rolled back. */
  async function sentencesAfter(change: string): Promise<string[]> {
    await client.query("begin");
    await client.query(change);
    return differences(expected, await readCatalogue(client)); // which rolls back
  }

  test.each([
    ["drop index transactions_end_to_end_id", /^The index transactions\.transactions_end_to_end_id is missing\.$/],
    [
      "drop index deliveries_open; create index deliveries_open on deliveries (account_id)",
      /^The index deliveries\.deliveries_open differs: it is "CREATE INDEX .+", not "CREATE INDEX .+ WHERE .+"\.$/,
    ],
    ["update pg_index set indisvalid = false where indexrelid = 'accounts_ahead'::regclass", /^The index .+ invalid/],
    ["alter table transactions drop column client_ip", /^The column transactions\.client_ip is missing\.$/],
    [
      "alter table accounts alter name drop not null",
      /^The column accounts\.name differs: it is "text", not "text not/,
    ],
    ["alter table accounts alter card_fee_fixed set default 38", /^The column accounts\.card_fee_fixed differs/],
    ["alter table transactions alter fee type numeric", /^The column transactions\.fee differs/],
    [
      "alter table sessions drop constraint sessions_user_id_fkey",
      /^The constraint sessions\.sessions_user_id_fkey is/,
    ],
    [
      "alter table users drop constraint users_pkey cascade",
      /^The constraint (users|memberships|known_devices|recovery_codes|sessions)\./,
    ],
    ["alter type \"Mode\" add value 'dream'", /^The type Mode differs/],
    ["drop sequence ledger_entries_id_seq cascade", /^The (sequence|column) ledger_entries/],
    ["drop trigger balanced on ledger_entries", /^The trigger ledger_entries\.balanced is missing\.$/],
    ["alter table ledger_entries disable trigger append_only", /^The trigger ledger_entries\.append_only differs/],
    ["drop policy tenant on events", /^The policy events\.tenant is missing\.$/],
    ["alter policy tenant on events using (true)", /^The policy events\.tenant differs/],
    ["alter table events no force row level security", /^The table events differs/],
    ["alter table events disable row level security", /^The table events differs/],
    ["alter table rate_limits set logged", /^The table rate_limits differs: it is "logged", not "unlogged"\.$/],
    ["alter function ledger_post(json) security invoker", /^The function ledger_post\(json\) differs\.$/],
    ["alter function ledger_fold(integer) reset search_path", /^The function ledger_fold\(integer\) differs\.$/],
    [
      "create or replace function in_scope(account uuid) returns boolean language sql stable parallel safe as 'select true'",
      /^The function in_scope\(uuid\) differs\.$/,
    ],
    ["drop table card_tokens", /^The table card_tokens is missing\.$/],
  ])("names what differs in a sentence: %s", async (change, sentence) => {
    const sentences = await sentencesAfter(change);
    for (const line of sentences) expect(line).toMatch(sentence);
    expect(sentences.length).toBeGreaterThan(0);
  });

  test("ignores an operator's own objects and how tables are tuned", async () => {
    const own = `create index mine on transactions (amount); create table mine_too (id int); alter table events add mine int;
      create function mine() returns int language sql as 'select 1'; alter table events set (fillfactor = 90)`;
    expect(await sentencesAfter(own)).toEqual([]);
  });

  test("ends with those sentences, and goes on once the difference is mended", async () => {
    await client.query("drop index accounts_ahead, deliveries_open");
    await expect(checkSchema(client)).rejects.toMatchObject({
      plain: true,
      message: expect.stringMatching(/\n {2}The index accounts.accounts_ahead is missing.\n {2}The index deliveries/),
    });
    for (const index of ["accounts.accounts_ahead", "deliveries.deliveries_open"]) {
      await client.query(String(expected[`index ${index}`]));
    }
    await checkSchema(client);
  });
});

/** What the first release had instead of what its migration makes today. */
const FIRST = `
  drop index accounts_ahead, deliveries_created_at_idx, deliveries_open, rail_callbacks_received_at_idx,
    transactions_end_to_end_id;
  create index transactions_end_to_end_id on transactions (account_id, end_to_end_id) where end_to_end_id is not null;
  create or replace function take_slots(slot text, allowed int, wanted int, out granted int, out wait_ms int)
    language plpgsql as $$ begin granted := wanted; wait_ms := 0; end $$;`;
/** What the first release with cards had instead, in a database that the first release had made. */
const FIRST_WITH_CARDS = `
  drop index card_tokens_to_empty, card_charges_created_at_idx, simulator_charges_created_at_id_idx;
  alter table transactions drop column client_ip, drop column user_agent;
  alter table card_charges alter column created_at set default current_timestamp;`;

/** What migrations read of the job queue that the release had, which its own role made. */
const QUEUE = `
  create schema graphile_worker;
  create table graphile_worker._private_job_queues (id int generated always as identity primary key, queue_name text unique);
  create table graphile_worker._private_tasks (id int generated always as identity primary key, identifier text unique);
  create table graphile_worker._private_jobs (id bigint generated always as identity primary key, job_queue_id int,
    task_id int not null, payload json not null, locked_by text, locked_at timestamptz);
  create view graphile_worker.jobs as select j.id, t.identifier as task_identifier
    from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id;
  create function graphile_worker.add_job(task text, payload json, queue text) returns void language sql as $$
    insert into graphile_worker._private_tasks (identifier) values (task) on conflict do nothing;
    insert into graphile_worker._private_job_queues (queue_name) select queue where queue is not null;
    insert into graphile_worker._private_jobs (job_queue_id, task_id, payload, locked_by, locked_at)
      select (select id from graphile_worker._private_job_queues where queue_name = queue),
        (select id from graphile_worker._private_tasks where identifier = task), payload, 'dead', now();
  $$;`;

const SHARE = { account_id: newId(), name: "Bento", percentage: 10 };

describe.each([
  ["the first release", 1, FIRST],
  ["the first release with cards, upgraded from the first", 2, FIRST + FIRST_WITH_CARDS],
])("a database of %s", (_, count, difference) => {
  const account = newId();
  let url: string;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    ({ url, drop } = await emptyDatabase());
    await connected(url, async (client) => {
      for (const { text } of (readMigrations() as Migration[]).slice(0, count)) await client.query(text);
      await client.query(difference);
      await noteApplied(client, count);
      await client.query("select set_config('app.accounts', '*', false)");
      await sell(client, "first", "E1", 3);
      await sell(client, "again", "E1", 2);
      await sell(client, "third", "E1", 1);
      await sell(client, "other", "E2", 1);
      await sell(client, "open", null, null);
      await happen(client, "first", "pending");
      await happen(client, "first", "completed");
      await leaveJobs(client);
    });
  });
  afterAll(() => drop());

  /** Writes Prisma's own table, with checksums of files that no longer exist. */
  async function noteApplied(client: pg.Client, count: number) {
    await client.query(`create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null,
      finished_at timestamptz, migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
      started_at timestamptz not null default now(), applied_steps_count integer not null default 0)`);
    for (const { name } of (readMigrations() as Migration[]).slice(0, count)) {
      const note =
        "insert into _prisma_migrations (id, checksum, finished_at, migration_name) values ($1, 'x', now(), $2)";
      await client.query(note, [randomUUID(), name]);
    }
  }

  async function sell(client: pg.Client, txid: string, endToEndId: string | null, daysAgo: number | null) {
    const [id, posting] = [newId(), newId()];
    const shares = [0, 1].map((at) => ({ ...SHARE, id: newId(), amount: 10 - at }));
    await client.query(
      `insert into transactions (account_id, id, type, method, status, amount, fee, net, txid, end_to_end_id, paid_at,
         created_at, updated_at, legacy, shares)
       values ($1, $2, 'cash_in', 'pix', case when $3::text is null then 'pending' else 'completed' end::"TransactionStatus",
         100, 0, 100, $4, $3, now() - $5::int * interval '1 day', now(), now(), '{"checkout": {"utm_term": null}}', $6)`,
      [account, id, endToEndId, txid, daysAgo, JSON.stringify(txid === "first" ? shares : [])],
    );
    if (!endToEndId) return;
    await client.query(
      "insert into ledger_postings (id, account_id, type, source_id) values ($1, $2, 'deposit_completed', $3)",
      [posting, account, id],
    );
    await client.query(
      `insert into ledger_entries (account_id, posting_id, kind, amount)
       values ($1, $2, 'available', 100), ($3, $2, 'clearing', -100)`,
      [account, posting, PLATFORM],
    );
  }

  /**
   * Leaves work as the release did: two jobs in its outbox, and others in the queue, all of them held. In both are jobs
   * that name no event, or no payment, which nobody could ever do.
   */
  async function leaveJobs(client: pg.Client) {
    const { rows } = await client.query('select account_id as "accountId", id as "eventId" from events order by id');
    const [created, paid] = rows;
    const outbox = "insert into outbox (name, payload) values ($1, $2)";
    await client.query(outbox, ["deposits.settle", { provider: "simulator", endToEndId: "E1" }]);
    await client.query(outbox, ["webhooks.dispatch", created]);
    const odd = [
      ["deposits.settle", {}],
      ["deposits.settle", { provider: "simulator" }],
      ["deposits.settle", { endToEndId: "E3" }],
      ["webhooks.dispatch", {}],
      ["webhooks.dispatch", { ...created, eventId: randomUUID() }],
    ] as const;
    for (const [name, payload] of odd) await client.query(outbox, [name, payload]);
    const callback = "insert into rail_callbacks (provider, event_id, payload) values ('simulator', $1, $2)";
    for (const [at, payload] of [{}, [], "text", null].entries()) {
      await client.query(callback, [`odd-${at}`, JSON.stringify(payload)]);
    }
    const database = new URL(url).pathname.slice(1);
    const program = `${database}_program`;
    await client.query(`create role ${program} login; grant create on database ${database} to ${program}`);
    await client.query(`set role ${program}; ${QUEUE} reset role`);
    const addJob = (name: string, payload: object, queue?: string) =>
      client.query("select graphile_worker.add_job($1, $2, $3)", [name, payload, queue]);
    await addJob("deposits.settle", { provider: "simulator", endToEndId: "E2" }, "E2");
    await addJob("webhooks.dispatch", paid);
    for (const [name, payload] of odd) await addJob(name, payload);
    await addJob("simulator.notify", { endToEndId: "E1" });
    await addJob("ledger.reconcile", {});
  }

  /** Writes an event as it was written before events kept their record. */
  const happen = (client: pg.Client, txid: string, status: string) =>
    client.query(
      `insert into events (account_id, id, type, subject_id, data, occurred_at)
       select account_id, $2, 'transaction.updated', id, jsonb_build_object('status', $3::text), now()
       from transactions where txid = $1`,
      [txid, newId(), status],
    );

  test("is brought to today's schema without losing an object or a cent; a payment of two sales is marked", async () => {
    await prepareDatabase(url, SECRET);
    await connected(url, async (client) => {
      expect(await readCatalogue(client)).toEqual(expected);
      await client.query("select set_config('app.accounts', '*', false)");
      const sales = await client.query(
        "select txid, status, end_to_end_id as id from transactions order by created_at, id",
      );
      expect(sales.rows.map(({ txid, status, id }) => [txid, status, id])).toEqual([
        ["first", "completed", "E1"],
        ["again", "completed", "E1#2"],
        ["third", "completed", "E1#3"],
        ["other", "completed", "E2"],
        ["open", "pending", null],
      ]);
      const money = await client.query(
        "select kind, sum(amount)::int as sum from ledger_entries group by 1 order by 1",
      );
      expect(money.rows).toEqual([
        { kind: "available", sum: 400 },
        { kind: "clearing", sum: -400 },
      ]);
    });
    await prepareDatabase(url, SECRET);
  });

  test("keeps its data: shares, the records of events, the sources of entries, and the work that its jobs held", async () => {
    await prepareDatabase(url, SECRET);
    await connected(url, async (client) => {
      await client.query("select set_config('app.accounts', '*', false)");
      const rows = async (text: string) => (await client.query(text)).rows;
      expect(
        await rows(`select s.place, s.recipient_id, s.name, s.basis_points, s.amount::int from shares s
          join transactions t on t.id = s.transaction_id and t.account_id = s.account_id where t.txid = 'first' order by 1`),
      ).toEqual(
        [10, 9].map((amount, place) => {
          return { place, recipient_id: SHARE.account_id, name: SHARE.name, basis_points: 1_000, amount };
        }),
      );
      const records = await rows("select subject, subject_id, record from events order by data ->> 'status' desc");
      expect(records.map(({ subject, record }) => [subject, record.status, record.end_to_end_id])).toEqual([
        ["transaction", "pending", undefined],
        ["transaction", "completed", "E1"],
      ]);
      for (const { record, subject_id } of records) {
        expect(record).toMatchObject({ id: subject_id, amount: 100, legacy: { checkout: { utm_term: null } } });
        expect(record).not.toHaveProperty("shares");
        expect(record).not.toHaveProperty("type");
      }
      const unlike = `select e.id from ledger_entries e join ledger_postings p on p.id = e.posting_id
        where e.type <> p.type or e.source_id <> p.source_id`;
      expect(await rows(unlike)).toEqual([]);
      await expect(rows("update ledger_entries set amount = 0")).rejects.toThrow("append-only");
      expect(await rows("select o.event_id from outbox o join events e on e.id = o.event_id")).toHaveLength(2);
      expect(
        await rows(
          "select provider, kind, id, ask_at <= now() as due, ends_at > now() as ends from watches order by id",
        ),
      ).toEqual(["E1", "E2"].map((id) => ({ provider: "simulator", kind: "payment", id, due: true, ends: true })));
      expect(await rows("select to_regnamespace('graphile_worker') as queue")).toEqual([{ queue: null }]);
    });
  });
});
