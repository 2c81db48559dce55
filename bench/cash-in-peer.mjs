// What a good programmer would write by hand for POST /cash-in alone: Fastify 5, raw pg, prepared
// statements, the same tables, rows and role. PEER=one-statement writes all rows in one statement instead.
import { createHash, randomBytes } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { writeBrCode } from "@/lib/rails/pix/brcode";
import { newId } from "./uuid.mjs";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_PROGRAM_URL, max: 10 });
const RECEIVER = { key: "pix@repasse.example", reusable: true, merchantCity: "SAO PAULO" };
const DAY_MS = 24 * 60 * 60 * 1000;
const text = { type: ["string", "null"], maxLength: 255 };

const body = {
  type: "object",
  required: ["amount"],
  properties: {
    amount: { type: "number", minimum: 0.01, maximum: 9_999_999_999, multipleOf: 0.01 },
    description: text,
    external_id: text,
    webhook_url: { type: ["string", "null"], maxLength: 2048 },
    client: {
      type: ["object", "null"],
      properties: {
        name: text,
        cpf: { type: ["string", "null"], pattern: "^(\\d{11}|[0-9A-Z]{12}\\d{2})$" },
        email: { type: ["string", "null"], format: "email", maxLength: 254 },
        phone: { type: ["string", "null"], pattern: "^\\d{10,11}$" },
      },
    },
  },
};
const string = { type: "string" };
const answer = {
  type: "object",
  properties: { message: string, pix_code: string, identifier: string, expires_at: string },
};

const TOKEN = `select a.id, a.status, a.name, a.pix_fee_basis_points from access_tokens t
  cross join lateral account_in_scope(t.account_id) a where t.hash = $1 and t.expires_at > now()`;
const SCOPE = "select set_config('app.accounts', $1, true), set_config('lock_timeout', '10s', true)";
const COLUMNS = `account_id, id, method, origin, status, amount, fee, net, description, external_id, client_name,
  client_email, client_document, client_phone, txid, pix_code, callback, request_id, expires_at, created_at, updated_at`;
const values = (account) => `${account}, $2, 'pix', 'api', 'pending', $3, $4, $5, $6, $7, $8, $9, $10, $11,
  $12, $13, $14::jsonb, $15, $16, $17, $17`;
const DATA = `'{"status": "pending", "previous_status": null}'`;
const SALE = `insert into transactions (${COLUMNS}) values (${values("$1")})`;
const ACTOR = `'{"kind": "credential", "id": "01900000-0000-7000-8000-000000000001", "ip": "127.0.0.1"}'`;
const RECORD = "jsonb_strip_nulls(to_jsonb(s))";
const EVENT = `insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
  select $1, $2, 'transaction.created', 'transaction', $3, ${DATA}, ${RECORD}, $4, ${ACTOR}, $5
  from transactions s where account_id = $1 and id = $3`;
const OUTBOX = "insert into outbox (account_id, event_id) values ($1, $2)";
const ALL = `with scope as materialized (select set_config('app.accounts', $1::text, true)::uuid as account),
  sale as (insert into transactions (${COLUMNS}) select ${values("account")} from scope returning *),
  event as (
    insert into events (account_id, id, type, subject, subject_id, data, record, request_id, actor, occurred_at)
    select account_id, $18, 'transaction.created', 'transaction', id, ${DATA}, ${RECORD}, $15, ${ACTOR}, $17 from sale s)
  insert into outbox (account_id, event_id) select account, $18 from scope`;

async function writeAll(sale, eventId) {
  await pool.query({ name: "all", text: ALL, values: [...sale, eventId] });
}

async function writeEach(sale, eventId) {
  const [account, id, requestId, now] = [sale[0], sale[1], sale[14], sale[16]];
  const client = await pool.connect();
  try {
    await client.query("begin");
    await client.query({ name: "scope", text: SCOPE, values: [account] });
    await client.query({ name: "sale", text: SALE, values: sale });
    await client.query({ name: "event", text: EVENT, values: [account, eventId, id, requestId, now] });
    await client.query({ name: "outbox", text: OUTBOX, values: [account, eventId] });
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

const write = process.env.PEER === "one-statement" ? writeAll : writeEach;
const app = fastify();

app.post("/api/partner/v1/cash-in", { schema: { body, response: { 200: answer } } }, async (request, reply) => {
  const hash = createHash("sha256")
    .update(request.headers.authorization?.slice(7) ?? "")
    .digest();
  const { rows } = await pool.query({ name: "token", text: TOKEN, values: [hash] });
  if (rows.length === 0 || rows[0].status !== "approved") return reply.code(401).send({ message: "Unauthorized" });
  const [account] = rows;
  const { amount, description, external_id, webhook_url, client } = request.body;
  const [cents, requestId, id, eventId, now] = [Math.round(amount * 100), newId(), newId(), newId(), new Date()];
  const fee = Math.round((cents * (account.pix_fee_basis_points ?? 0)) / 10_000);
  const txid = randomBytes(15).toString("hex").slice(0, 25);
  const code = writeBrCode({ ...RECEIVER, text: description, amount: cents, txid, merchantName: account.name });
  const expiresAt = new Date(now.getTime() + DAY_MS);
  const callback = webhook_url && JSON.stringify({ url: webhook_url, contract: "legacy" });
  const who = [client?.name, client?.email, client?.cpf, client?.phone];
  const sale = [account.id, id, cents, fee, cents - fee, description, external_id, ...who, txid, code, callback];
  await write([...sale, requestId, expiresAt, now], eventId);
  reply.header("x-request-id", requestId);
  return { message: "Cobrança Pix criada.", pix_code: code, identifier: id, expires_at: expiresAt.toISOString() };
});

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.send({ kind: "ready" });
process.once("SIGTERM", () => process.exit());
