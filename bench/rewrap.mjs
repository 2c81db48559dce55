import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { runForOutput } from "../bin/processes.mjs";
import { launcherFile, root } from "../bin/settings.mjs";
import { bundled } from "./environment.mjs";
import { table } from "./figures.mjs";

const ROWS = 1_000_000;
const SELLERS = 200;
const THREADS = 2;
const SENDERS = 4;
/** The pause between two charges of a sender, so that the rewrap gets the larger part of two cores. */
const PAUSE_MS = 20;
const WARM_UP_MS = 3_000;
/** One card in so many is tokenized to be charged. */
const CHARGED_ONE_IN = 100;
const [TOKENIZE, CHARGE] = ["/api/partner/v1/card-tokens", "/api/partner/v1/credit-card"];
const CARD = { number: "4111111111111111", holder_name: "ANA", expiry_month: "12", expiry_year: "2099", cvv: "123" };

/** `npm run rewrap` over `rows` cards while others are charged. Afterwards all are opened without the older key. */
export async function rewrap({ owner, fixtures, start }, { rows = ROWS, seconds }) {
  const older = process.env.VAULT_KEYS;
  const newer = `new:${randomBytes(32).toString("base64")}`;
  const both = { VAULT_KEYS: `${newer},${older}` };
  const sellers = await fixtures.makeSellers(SELLERS);
  const tokens = await fill(owner, sellers, older, rows);
  const { stop, url } = await start(join(root, "bench/host.mjs"), [], both);
  const senders = startSenders(url, sellers, tokens);
  await senders.charge("warming up", pause(WARM_UP_MS));
  await senders.charge("before", pause(seconds * 1000));
  const from = await walAt(owner);
  const first = await senders.charge("during", command(both));
  const wal = Number((await walAt(owner)) - from);
  await senders.charge("after", pause(seconds * 1000));
  const again = await command(both);
  const held = await olderHold(owner, older);
  await stop();
  const { opened, failed, tookMs } = await openAll(sellers, newer);
  const perSecond = first.done / (first.tookMs / 1000);
  const mb = (wal / 2 ** 20).toFixed(0);
  console.log(
    `  ${first.done} rows in ${inSeconds(first)} s: ${perSecond.toFixed(0)} rows/s, ${mb} MB of WAL with the charges'`,
  );
  console.log(`  a second run: ${again.done} rows in ${inSeconds(again)} s`);
  console.log(`  ${opened} cards opened without the older key in ${inSeconds({ tookMs })} s`);
  print(senders.charges);
  if (first.done < rows || opened + failed < rows) throw new Error("Void: there were fewer rows");
  return [
    { what: "charges that failed", value: 0, atMost: 0, digits: 0 },
    { what: "rows that a second run found", value: again.done, atMost: 0, digits: 0 },
    { what: "rows under the older key", value: held, atMost: 0, digits: 0 },
    { what: "cards that do not open without it", value: failed, atMost: 0, digits: 0 },
  ];
}

/** Makes the rows: one in ten a card on file, the others tokens, each with keys of its own. Returns tokens to be charged. */
async function fill(owner, sellers, keys, rows) {
  const startedAt = performance.now();
  const each = Math.ceil(rows / SELLERS);
  const onFile = Math.ceil(each / 10);
  await inThreads(sellers, keys, { name: "tokenize", each: each - onFile, keep: false });
  await inThreads(sellers, keys, { name: "keep", each: onFile });
  const charged = { name: "tokenize", each: Math.ceil(each / CHARGED_ONE_IN), keep: true };
  const before = new Date();
  const tokens = (await inThreads(sellers, keys, charged)).flat();
  await owner.query("update card_tokens set expires_at = now() + interval '1 day' where created_at >= $1", [before]);
  await owner.query("vacuum analyze card_tokens, stored_cards");
  await owner.query("checkpoint");
  const { rows: sizes } = await owner.query(
    `select (select count(*) from card_tokens)::int as tokens, (select count(*) from stored_cards)::int as cards,
       (pg_total_relation_size('card_tokens') + pg_total_relation_size('stored_cards')) / 1048576 as mb`,
  );
  const [{ tokens: count, cards, mb }] = sizes;
  console.log(`  ${count} tokens and ${cards} cards on file made in ${inSeconds(since(startedAt))} s, ${mb} MB`);
  return tokens;
}

/** Runs a task in threads with these vault keys, each for its share of the sellers. Resolves to what each thread returned. */
function inThreads(sellers, keys, task) {
  const env = { ...process.env, VAULT_KEYS: keys };
  const runs = Array.from({ length: THREADS }, (_, thread) => {
    const accounts = sellers.filter((_, at) => at % THREADS === thread).map(({ accountId }) => accountId);
    const worker = new Worker(bundled("rewrap-cards"), { env, workerData: { ...task, accounts } });
    return new Promise((done, fail) => worker.once("message", done).once("error", fail));
  });
  return Promise.all(runs);
}

/**
 * Senders that charge one card after the other. Every second card was tokenized under the older key before the run, the
 * others just before their charge. The first failure ends the run.
 */
function startSenders(url, sellers, tokens) {
  const bearer = new Map(sellers.map(({ accountId, token }) => [accountId, token]));
  const charges = [];
  const post = async (path, accountId, body) => {
    const headers = { authorization: `Bearer ${bearer.get(accountId)}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, answer: await response.json() };
  };
  const tokenizeNow = async () => {
    const { accountId } = sellers[Math.floor(Math.random() * sellers.length)];
    const { answer } = await post(TOKENIZE, accountId, { card: CARD });
    return { accountId, token: answer.data.token };
  };
  const someOld = () => {
    const last = tokens.pop();
    const at = Math.floor(Math.random() * tokens.length);
    return last && tokens.length > 0 ? tokens.splice(at, 1, last)[0] : last;
  };
  const chargeOne = async (phase, isOld) => {
    const old = isOld && someOld();
    const { accountId, token } = old || (await tokenizeNow());
    const startedAt = performance.now();
    const { status, answer } = await post(CHARGE, accountId, orderOf(token));
    const { tookMs } = since(startedAt);
    if (status !== 200 || answer.status !== "completed") {
      throw new Error(`Void: a charge ${phase} the rewrap failed: ${status} ${JSON.stringify(answer)}`);
    }
    charges.push({ phase, tookMs, isOld: Boolean(old) });
  };
  /** Charges until `work` is done. Resolves to what it returned. */
  const charge = async (phase, work) => {
    let isOver = false;
    const send = async () => {
      for (let n = 0; !isOver; n++) {
        await chargeOne(phase, n % 2 === 0);
        await pause(PAUSE_MS);
      }
    };
    const sending = Promise.all(Array.from({ length: SENDERS }, send));
    const [result] = await Promise.all([work.finally(() => (isOver = true)), sending]);
    return result;
  };
  return { charge, charges };
}

const orderOf = (token) => ({
  amount: 100,
  card: { token },
  client: { name: "Ana", email: "a@b.co", phone: "11987654321", document: { type: "cpf", number: "52998224725" } },
  device: { ip: "203.0.113.7", user_agent: "bench", page_url: "https://loja.example/" },
});

/** Runs the command itself, in a process of its own. `done` is how many rows it reports. */
async function command(env) {
  const startedAt = performance.now();
  const options = { env: { ...process.env, ...env } };
  const { code, output } = await runForOutput(process.execPath, [launcherFile, "rewrap"], options);
  if (code !== 0 || !output.includes("Nothing needs an older key.")) throw new Error(`Void: rewrap printed\n${output}`);
  const done = [...output.matchAll(/ (\d+) rewrapped/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { done, ...since(startedAt) };
}

async function walAt(owner) {
  const { rows } = await owner.query("select pg_current_wal_lsn() - '0/0'::pg_lsn as at");
  return BigInt(rows[0].at);
}

async function olderHold(owner, older) {
  const id = older.split(":")[0];
  const mark = Buffer.concat([Buffer.from([id.length]), Buffer.from(id)]);
  const { rows } = await owner.query(
    `select (select count(*) from card_tokens where substr(wrapped_key, 1, length($1::bytea)) = $1)
       + (select count(*) from stored_cards where substr(wrapped_key, 1, length($1::bytea)) = $1) as count`,
    [mark],
  );
  return Number(rows[0].count);
}

async function openAll(sellers, keys) {
  const startedAt = performance.now();
  const counts = await inThreads(sellers, keys, { name: "open" });
  const sum = (name) => counts.reduce((total, count) => total + count[name], 0);
  return { opened: sum("opened"), failed: sum("failed"), ...since(startedAt) };
}

function print(charges) {
  const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]?.toFixed(1);
  table([
    ["charges", "count", "of older cards", "failed", "p50 ms", "p99 ms"],
    ...["before", "during", "after"].map((phase) => {
      const some = charges.filter((charge) => charge.phase === phase);
      const sorted = some.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
      return [phase, some.length, some.filter(({ isOld }) => isOld).length, 0, at(sorted, 0.5), at(sorted, 0.99)];
    }),
  ]);
}

const since = (startedAt) => ({ tookMs: performance.now() - startedAt });
const inSeconds = ({ tookMs }) => (tookMs / 1000).toFixed(1);
