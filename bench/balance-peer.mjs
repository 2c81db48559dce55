// What a good programmer would write by hand for GET /balance alone: Fastify 5, raw pg, one prepared statement for each
// request that finds the token's account and its balance, the same tables and role under the same row-level security.
import { createHash } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { newId } from "./uuid.mjs";

const pool = new pg.Pool({ connectionString: process.env.DATABASE_PROGRAM_URL, max: 10 });
const string = { type: "string" };
const answer = { type: "object", properties: { balance: string, pending: string, blocked: string, currency: string } };

const sum = (kind) => `coalesce(sum(amount) filter (where kind = '${kind}'), 0)::text as ${kind}`;
const BALANCE = `select b.* from access_tokens t
  cross join lateral account_in_scope(t.account_id) a
  cross join lateral (
    select ${sum("available")}, ${sum("pending")}, ${sum("blocked")} from (
      select kind, amount from ledger_snapshots where account_id = a.id
      union all select kind, amount from ledger_tail where account_id = a.id
    ) parts
  ) b
  where t.hash = $1 and t.expires_at > now()`;

function decimal(cents) {
  const digits = cents.replace("-", "").padStart(3, "0");
  return `${cents.startsWith("-") ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

const app = fastify();

app.get("/api/partner/v1/balance", { schema: { response: { 200: answer } } }, async (request, reply) => {
  const hash = createHash("sha256")
    .update(request.headers.authorization?.slice(7) ?? "")
    .digest();
  const { rows } = await pool.query({ name: "balance", text: BALANCE, values: [hash] });
  if (rows.length === 0) return reply.code(401).send({ message: "Unauthorized" });
  const [{ available, pending, blocked }] = rows;
  reply.header("x-request-id", newId());
  return { balance: decimal(available), pending: decimal(pending), blocked: decimal(blocked), currency: "BRL" };
});

await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" });
process.send({ kind: "ready" });
process.once("SIGTERM", () => process.exit());
