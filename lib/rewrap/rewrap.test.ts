import { randomBytes } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { spendToken, tokenizeCard } from "@/lib/card-tokens/tokenize";
import { decryptStoredCard, storeCard } from "@/lib/charges/stored-card";
import { createCredential } from "@/lib/credentials/create";
import { forAccount, prisma, queryOf } from "@/lib/db";
import { env } from "@/lib/env";
import { writeMails } from "@/lib/mail/write";
import { rewrapAll } from "@/lib/rewrap/rewrap";
import { aMail } from "@/lib/testing/mails";
import { call, type Made, makeAccount } from "@/lib/testing/make";
import { connected, openOwnDatabase, ownerUrl } from "@/lib/testing/own-database";
import { startProgram } from "@/lib/testing/program";
import { beginSecondFactor } from "@/lib/users/second-factor";
import { decrypt } from "@/lib/vault/vault";
import { createWebhook, tokenContext } from "@/lib/webhooks/create";
import { WebhookInput } from "@/lib/webhooks/schema";

/** The command reads every row of a database, so these tests use one of their own. */
let drop: () => Promise<void>;
beforeAll(async () => {
  drop = await openOwnDatabase();
});
afterAll(() => drop());

const key = (id: string) => `${id}:${randomBytes(32).toString("base64")}`;
const [older, newer] = [key("k1"), key("k2")];
const card = { number: "4111111111111111", holder_name: "A", expiry_month: "12", expiry_year: "2099", cvv: "123" };

const { VAULT_KEYS } = env;
afterEach(() => void Object.assign(env, { VAULT_KEYS }));

/** The program as a process that was started with these keys has it, until another is. */
function startedWith(keys: string) {
  Object.assign(env, { VAULT_KEYS: keys });
  /** More mails of nobody than one batch takes. */
  const mail = () =>
    forAccount([], (tx) =>
      writeMails(
        queryOf(tx),
        Array.from({ length: 600 }, () => aMail()),
      ),
    );
  const tokenOf = async ({ account }: Made) => (await tokenizeCard(account, { card })).data.token;
  const spend = ({ accountId }: Made, token: string) =>
    forAccount(accountId, async (tx) => (await spendToken(tx, accountId, token)).card);
  /** Keeps a card, as an approved charge with consent does. */
  const keep = async (seller: Made) => {
    const token = await tokenOf(seller);
    await forAccount(seller.accountId, async (tx) => {
      const spent = await spendToken(tx, seller.accountId, token);
      const consent = { text: "Sim", ip: "203.0.113.7", user_agent: "" };
      await storeCard(tx, seller.account, spent, crypto.randomUUID(), "", consent);
    });
  };
  const hook = async ({ account }: Made) => {
    const input = WebhookInput.parse({ title: "Loja", url: "http://localhost:9/", event: "transaction" });
    return createWebhook(account, input, call());
  };
  const factor = async ({ email }: Made) => {
    const { id: userId } = await prisma().user.findUniqueOrThrow({ where: { email } });
    await beginSecondFactor({ userId });
  };
  return { tokenOf, spend, keep, mail, decryptStoredCard, hook, factor, makeAccount, rewrapAll, forAccount };
}

/** How many rows this key of the ring encrypts, as the owner of the database counts them. */
const heldBy = (id: string) =>
  connected(ownerUrl(), async (client) => {
    const mark = Buffer.concat([Buffer.from([id.length]), Buffer.from(id)]);
    const text = `select (select count(*)::int from card_tokens where substr(wrapped_key, 1, 3) = $1) as tokens,
      (select count(*)::int from stored_cards where substr(wrapped_key, 1, 3) = $1) as cards,
      (select count(*)::int from webhooks where substr(sealed_token, 1, 3) = $1) as webhooks,
      (select count(*)::int from mails where substr(sealed_content, 1, 3) = $1) as mails,
      (select count(*)::int from users where substr(sealed_totp, 1, 3) = $1) as people`;
    return (await client.query<Record<string, number>>(text, [mark])).rows[0];
  });

/** A seller's wrapped keys, one a token, oldest first. */
const keysOf = ({ accountId }: Made) =>
  connected(ownerUrl(), async (client) => {
    const text = "select wrapped_key as key from card_tokens where account_id = $1 order by id";
    return (await client.query<{ key: Buffer }>(text, [accountId])).rows.map(({ key }) => key.toString("latin1"));
  });

/** Runs in a process of its own, as the command does. */
const REWRAP = `import { rewrapAll } from "@/lib/rewrap/rewrap";
  await rewrapAll();
  process.exit(0);`;

/** Kills a program with SIGKILL in the middle of a batch, while it waits for a seller's newest token. */
const killAtNewestToken = ({ accountId }: Made, keys: string) =>
  connected(ownerUrl(), async (client) => {
    await client.query("begin");
    await client.query("select from card_tokens where account_id = $1 order by id desc limit 1 for update", [
      accountId,
    ]);
    const program = await startProgram(REWRAP, { VAULT_KEYS: keys });
    const waiting =
      "select count(distinct pid)::int as count from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))";
    await vi.waitFor(async () => expect((await client.query(waiting)).rows[0].count).toBe(1), { timeout: 15_000 });
    await program.kill();
    expect(program.child.signalCode).toBe("SIGKILL");
    await client.query("rollback");
  });

describe("a new first key in VAULT_KEYS, and rewrap:", () => {
  test("charges succeed before, while and after it runs, and then the older key can be removed", {
    timeout: 60_000,
  }, async () => {
    const before = startedWith(older);
    const seller = await before.makeAccount();
    const tokens = await Promise.all(Array.from({ length: 600 }, () => before.tokenOf(seller)));
    await before.keep(seller);
    const { id, token: secret } = await before.hook(seller);
    await before.mail();
    await before.factor(seller);

    const both = startedWith(`${newer},${older}`);
    const running = both.rewrapAll();
    const charged = [];
    for (const token of tokens.slice(0, 100)) charged.push(await both.spend(seller, token));
    const fresh = await Promise.all(Array.from({ length: 20 }, () => both.tokenOf(seller)));
    expect(charged).toEqual(charged.map(() => card));
    expect(await running).toMatchObject({ tables: Array(11).fill({ failed: 0 }) });
    await both.rewrapAll();
    expect(await heldBy("k1")).toEqual({ tokens: 0, cards: 0, webhooks: 0, mails: 0, people: 0 });
    expect(await heldBy("k2")).toEqual({ tokens: 621, cards: 1, webhooks: 1, mails: 600, people: 1 });

    const after = startedWith(newer);
    for (const token of [...tokens.slice(100, 120), ...fresh]) expect(await after.spend(seller, token)).toEqual(card);
    const hook = await after.forAccount(seller.accountId, (tx) => tx.webhook.findFirstOrThrow({ where: { id } }));
    expect(decrypt(hook.sealedToken, tokenContext(seller.accountId)).toString()).toBe(secret);
    const kept = await after.forAccount(seller.accountId, (tx) => tx.storedCard.findFirstOrThrow());
    expect(after.decryptStoredCard(kept)).toEqual({ ...card, cvv: undefined });
    expect(await after.rewrapAll()).toMatchObject({ tables: Array(11).fill({ done: 0 }) });
  });

  test("a row that cannot be decrypted is counted, stays as it is, and does not stop the others", async () => {
    const lost = startedWith(key("k0"));
    const seller = await lost.makeAccount();
    await lost.tokenOf(seller);
    const old = startedWith(older);
    const token = await old.tokenOf(seller);
    const both = startedWith(`${newer},${older}`);
    const { tables } = await both.rewrapAll();
    expect(tables[0]).toEqual({ table: "card_tokens", done: 1, failed: 1 });
    expect(await heldBy("k0")).toMatchObject({ tokens: 1 });
    expect(await both.spend(seller, token)).toEqual(card);
  });

  test("killed while it runs and run again, it loses no card and wraps none twice", { timeout: 60_000 }, async () => {
    const before = startedWith(older);
    const seller = await before.makeAccount();
    const tokens = await Promise.all(Array.from({ length: 750 }, () => before.tokenOf(seller)));
    const isNew = (key: string) => key.startsWith("\x02k2");
    await killAtNewestToken(seller, `${newer},${older}`);
    const half = await keysOf(seller);
    const done = half.filter(isNew).length;
    expect(done).toBeGreaterThan(0);
    expect(done).toBeLessThan(tokens.length);

    const both = startedWith(`${newer},${older}`);
    await both.rewrapAll();
    const whole = await keysOf(seller);
    expect(whole.filter(isNew)).toHaveLength(tokens.length);
    expect(whole.slice(0, done)).toEqual(half.slice(0, done));
    const after = startedWith(newer);
    for (const token of tokens) expect(await after.spend(seller, token)).toEqual(card);
  });

  test("one run rewraps every row, although ids sort differently as texts", async () => {
    const old = startedWith(older);
    const seller = await old.makeAccount();
    const { id } = await old.hook(seller);
    await connected(ownerUrl(), (client) =>
      client.query(
        `insert into webhooks select (jsonb_populate_record(w, jsonb_build_object('id', n))).*
         from webhooks w, generate_series(9990, 10600) n where w.id = $1`,
        [id],
      ),
    );
    const both = startedWith(`${newer},${older}`);
    await both.rewrapAll();
    expect(await heldBy("k1")).toMatchObject({ webhooks: 0 });
  });

  test("answers kept for a repeat are only counted, and expire within a day", async () => {
    const old = startedWith(older);
    const seller = await old.makeAccount();
    const requestHash = Buffer.alloc(32);
    const render = (result: unknown) => ({ status: 201, body: JSON.stringify(result) });
    await createCredential(
      seller.account,
      { name: "x" },
      { ...call(), idem: { accountId: seller.accountId, key: "k", requestHash, render } },
    );
    const both = startedWith(`${newer},${older}`);
    expect((await both.rewrapAll()).answers).toBe(1);
  });
});
