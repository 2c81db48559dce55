import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { routes } from "@/app/routes.generated";
import { forAccount, pool } from "@/lib/db";
import { env } from "@/lib/env";
import { newId } from "@/lib/ids";
import { readBalances } from "@/lib/ledger/balance";
import { reconcile } from "@/lib/reconcile/reconcile";
import { askAt, openHost } from "@/lib/testing/http";
import { type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { freePort, type Program, startProgram } from "@/lib/testing/program";
import { tracesOf } from "@/lib/testing/traces";

/** Servers run workers, which run every job in a database, so these tests have one of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());
const host = openHost(routes);

const CASH_IN = "/api/partner/v1/cash-in";
const CREDENTIALS = "/api/partner/v1/credentials";

const SERVER = `import { routes } from "@/app/routes.generated";
  import { createHost } from "@/lib/http/host";
  import { registry } from "@/lib/jobs/registry";
  import { startWorker } from "@/lib/jobs/worker";
  await startWorker(registry);
  const host = createHost(routes.filter(({ path }) => !path.includes("[...")), (_, page) => page.writeHead(404).end());
  host.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));`;

type Running = Program & { url: string };

async function startServer(settings: Record<string, string> = {}, source = SERVER): Promise<Running> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram(source, { PORT: String(port), APP_URL: url, SIMULATOR_URL: url, ...settings });
  await program.says("open");
  return { ...program, url };
}

const statuses = ({ accountId }: Made) =>
  forAccount(accountId, async (tx) => (await tx.transaction.findMany()).map(({ status }) => status));

test("two servers over one database keep limits and money exact", { timeout: 60_000 }, async () => {
  const LIMIT = 45;
  const settings = { PARTNER_LIMIT_PER_MINUTE: String(LIMIT) };
  const [one, two] = await Promise.all([startServer(settings), startServer(settings)]);
  const at = (turn: number) => (turn % 2 ? one : two).url;

  const limited = await makeAccount();
  const { token } = limited;
  const race = await Promise.all(
    Array.from({ length: 128 }, (_, turn) => askAt(at(turn), "GET", "/api/partner/v1/balance", { token })),
  );
  expect(race.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  expect(race.filter(({ status }) => status === 429)).toHaveLength(128 - LIMIT);

  const seller = await makeAccount({ feeBasisPoints: 199 });
  /** The same request at both servers at the same moment, as after a time-out. */
  const twice = async (path: string, body: object) => {
    const ask = { token: seller.token, body, key: newId() };
    const answers = await Promise.all([one, two].map(({ url }) => askAt(url, "POST", path, ask)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0]?.text).toBe(answers[1]?.text);
    return answers[0]?.json as { identifier: string };
  };
  const sales = await Promise.all(Array.from({ length: 10 }, () => twice(CASH_IN, { amount: 19.99 })));
  await Promise.all(sales.map(({ identifier }) => twice(`/api/partner/v1/sandbox/pix/${identifier}/pay`, {})));
  await vi.waitFor(async () => expect(await statuses(seller)).toEqual(sales.map(() => "completed")), {
    timeout: 20_000,
    interval: 100,
  });
  expect(await readBalances(seller.accountId)).toMatchObject({ available: 10 * (1_999 - 40) });
  expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 10, events: 20, postings: 10, keys: 20 });
  expect(await reconcile({ inFlightMs: 0 })).toEqual([]);
});

describe("a server that is killed", () => {
  /** A server of one route that is killed between commit and answer. */
  const dyingAt = (path: string) => `import { POST } from "@/app${path}/route";
    import { createHost } from "@/lib/http/host";
    const die = async (request, context) => {
      const { status } = await POST(request, context);
      if (status < 300) process.kill(process.pid, "SIGKILL");
      return new Promise(() => {});
    };
    const host = createHost([{ path: "${path}", module: { POST: die } }], () => {});
    host.listen(Number(process.env.PORT), "127.0.0.1", () => console.log("open"));`;

  test("between commit and answer gives the stored answer to the retry: one deposit", async () => {
    const seller = await makeAccount();
    const ask = { token: seller.token, body: { amount: 5 }, key: newId() };
    const dying = await startServer({}, dyingAt(CASH_IN));
    await expect(askAt(dying.url, "POST", CASH_IN, ask)).rejects.toThrow();

    const retry = await host.ask("POST", CASH_IN, ask);
    expect([retry.status, retry.headers.get("idempotency-replayed")]).toEqual([200, "true"]);
    const { identifier } = retry.json as { identifier: string };
    const sale = await host.ask("GET", `/api/partner/v1/transaction/${identifier}`, { token: seller.token });
    expect(sale).toMatchObject({ status: 200, json: { data: { status: "pending", amount: 5 } } });
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, events: 1, keys: 1 });
  });

  test("between commit and answer still shows the secret that is shown once", async () => {
    const seller = await makeAccount();
    const ask = { token: seller.token, body: { name: "Loja" }, key: newId() };
    const dying = await startServer({}, dyingAt(CREDENTIALS));
    await expect(askAt(dying.url, "POST", CREDENTIALS, ask)).rejects.toThrow();

    const retry = await host.ask("POST", CREDENTIALS, ask);
    expect([retry.status, retry.headers.get("idempotency-replayed")]).toEqual([201, "true"]);
    const { client_id, client_secret } = retry.json.data as { client_id: string; client_secret: string };
    const body = { client_id, client_secret };
    expect((await host.ask("POST", "/api/partner/v1/auth-token", { body })).status).toBe(200);
    expect(await tracesOf(seller.accountId)).toMatchObject({ credentials: 2, keys: 1 });
  });

  test("before it commits leaves nothing, and the retry can use the key at once", async () => {
    const seller = await makeAccount();
    const key = newId();
    const doomed = await startProgram(`import { forAccount } from "@/lib/db";
      import { once } from "@/lib/idempotency";
      const accountId = "${seller.accountId}";
      const idem = { accountId, key: "${key}", requestHash: Buffer.alloc(32), render: () => ({ status: 200, body: "" }) };
      await forAccount(accountId, (tx) => once(tx, idem, async () => {
        console.log("inside");
        await new Promise((resolve) => setTimeout(resolve, 60_000));
      }));`);
    await doomed.says("inside");
    const asked = host.ask("POST", CASH_IN, { token: seller.token, body: { amount: 5 }, key });
    const killedAt = performance.now();
    await doomed.kill();
    const answer = await asked;
    expect([answer.status, answer.headers.get("idempotency-replayed")]).toEqual([200, null]);
    expect(performance.now() - killedAt).toBeLessThan(5_000);
    expect(await tracesOf(seller.accountId)).toMatchObject({ transactions: 1, keys: 1 });
  });
});

describe("no secret can be read", () => {
  /** Breaks a table while `run` runs, so that requests fail in unexpected ways. */
  async function broken(change: string, mend: string, run: () => Promise<unknown>) {
    await connected(ownerUrl(), (client) => client.query(change));
    try {
      await run();
    } finally {
      await connected(ownerUrl(), (client) => client.query(mend));
    }
  }

  test("in what the server prints, at its lowest log level, nor in any table", { timeout: 60_000 }, async () => {
    const server = await startServer({ LOG_LEVEL: "trace" });
    const seller = await makeAccount();
    const { token, clientSecret: client_secret, clientId: client_id, apiKey } = seller;
    const typed = { secret: newId(), password: `senha ${newId()}`, bearer: newId(), cookie: newId(), text: newId() };
    const body = { amount: 5, description: typed.text, client: { name: typed.text } };
    const ask = (method: string, path: string, options = {}) => askAt(server.url, method, path, options);
    const basic = `Basic ${Buffer.from(apiKey).toString("base64")}`;
    const person = { company: "Loja", document: "11222333000181", name: "Ana", email: `${newId()}@a.co` };

    const asked = async () => [
      await ask("POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret } }),
      await ask("POST", "/api/partner/v1/auth-token", { body: { client_id, client_secret: typed.secret } }),
      await ask("POST", CASH_IN, { token, body, key: newId() }),
      await ask("POST", CASH_IN, { token: typed.bearer, body }),
      await ask("POST", CASH_IN, { token, body: `{"description": "${typed.text}"` }),
      await ask("POST", CASH_IN, { token, body: { ...body, amount: typed.text } }),
      await ask("GET", `/api/partner/v2/transactions?search=${typed.text}`, { token }),
      await ask("GET", "/s1/getsaldo/api/", { authorization: basic }),
      await ask("GET", `/api/partner/v1/no-such-path?token=${typed.bearer}`, { token }),
      await ask("GET", "/api/partner/v1/balance", { headers: { cookie: `__Host-repasse-1=${typed.cookie}` } }),
      await ask("POST", "/api/public/v1/sign-up", { body: { ...person, password: typed.password } }),
      await ask("POST", CREDENTIALS, { token, body: { name: "Loja" }, key: newId() }),
      await ask("POST", "/callbacks/pix/simulator", { body: { text: typed.text }, authorization: typed.bearer }),
      await ask("POST", "/simulator/pix/v1/payments", { token: env.SIMULATOR_SECRET, body: { pix_code: typed.text } }),
    ];
    const answers = await asked();
    for (const table of ["transactions", "credentials", "users", "access_tokens", "callbacks"]) {
      const names = [table, `${table}_gone`];
      const rename = ([from, to]: string[]) => `alter table ${from} rename to ${to}`;
      await broken(rename(names), rename(names.reverse()), asked);
    }

    const made = answers.map(({ json }) => json as { access_token?: string; data?: { client_secret?: string } });
    const shown = made.flatMap(({ access_token, data }) => [access_token, data?.client_secret]).filter(Boolean);
    expect(shown).toHaveLength(2);
    const { SESSION_SECRET, SIMULATOR_SECRET, VAULT_KEYS, CARD_FINGERPRINT_KEY } = env;
    const ours = [
      SESSION_SECRET,
      SIMULATOR_SECRET,
      CARD_FINGERPRINT_KEY,
      VAULT_KEYS.split(":")[1],
      new URL(env.DATABASE_PROGRAM_URL).password,
    ];
    const theirs = [token, client_secret, apiKey, basic.slice(6), ...shown];
    const { text, ...passwords } = typed;
    const secrets = [...ours, ...theirs, ...Object.values(passwords)].filter((secret) => secret !== undefined);

    const printed = server.printed();
    expect(printed.match(/"request failed"/g)?.length).toBeGreaterThan(5); // otherwise no failure was provoked
    for (const secret of [...secrets, text]) expect(printed, "printed").not.toContain(secret);
    await server.kill();
    const kept = await everyRow();
    for (const secret of secrets) {
      expect(kept.includes(secret), "kept").toBe(false);
      expect(kept.includes(Buffer.from(secret).toString("hex")), "kept as bytes").toBe(false);
    }
    expect(kept).toContain(text); // the search does find a description, which is no secret
  });

  /** Every row of every table of ours, as text. */
  async function everyRow(): Promise<string> {
    const { rows } = await pool().query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'",
    );
    return connected(ownerUrl(), async (client) => {
      const texts = [];
      for (const { name } of rows) {
        const table = await client.query<{ row: string }>(`select t::text as row from "${name}" t`);
        texts.push(...table.rows.map(({ row }) => row));
      }
      return texts.join("\n");
    });
  }
});

test("a server that is stopped finishes the requests that it has begun", async () => {
  const seller = await makeAccount();
  const source = `${SERVER}
    import { drain } from "@/lib/http/host";
    process.on("SIGTERM", () => drain(host).then(() => console.log("drained")).then(() => process.exit(0)));`;
  const server = await startServer({}, source);
  const lock = await pool().connect();
  onTestFinished(() => lock.release());
  await lock.query("begin");
  await lock.query("lock table outbox in access exclusive mode"); // the request waits in the middle of its work
  const asked = askAt(server.url, "POST", CASH_IN, { token: seller.token, body: { amount: 5 } });
  await vi.waitFor(async () => {
    const { rows } = await pool().query(`select from pg_locks where not granted and relation = 'outbox'::regclass
      and database = (select oid from pg_database where datname = current_database())`);
    expect(rows.length).toBeGreaterThan(0);
  }, 10_000);
  server.child.kill("SIGTERM");
  const refused = () => askAt(server.url, "GET", "/api/partner/v1/balance", { token: seller.token });
  await vi.waitFor(() => expect(refused()).rejects.toThrow(), 10_000);
  await lock.query("commit");
  expect((await asked).status).toBe(200);
  const answeredAt = performance.now();
  await server.says("drained");
  expect(performance.now() - answeredAt).toBeLessThan(5_000);
});
