// What a good programmer would write by hand for the public POST /card-tokens alone: Fastify 5, raw pg, one prepared
// INSERT, the same encryption, table and role. It keeps the public keys in memory and checks nothing else.
import { createCipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import fastify from "fastify";
import pg from "pg";
import { brandOf } from "@/lib/pan/brands";
import { newId } from "./uuid.mjs";

const { DATABASE_PROGRAM_URL, VAULT_KEYS, CARD_FINGERPRINT_KEY, PORT } = process.env;
const LIFETIME_MS = 15 * 60 * 1000;
const pool = new pg.Pool({ connectionString: DATABASE_PROGRAM_URL, max: 10 });

const [KEY_ID, SECRET] = VAULT_KEYS.split(",")[0].split(/:(.*)/);
const ringKey = Buffer.from(hkdfSync("sha256", Buffer.from(SECRET, "base64"), "", "repasse seal", 32));
const mark = Buffer.concat([Buffer.from([KEY_ID.length]), Buffer.from(KEY_ID)]);

const body = {
  type: "object",
  required: ["card"],
  properties: {
    card: {
      type: "object",
      required: ["number", "holder_name", "expiry_month", "expiry_year", "cvv"],
      properties: {
        number: { type: "string", pattern: "^[\\d\\s-]{13,40}$" },
        holder_name: { type: "string", minLength: 1, maxLength: 255 },
        expiry_month: { type: "string", pattern: "^(0[1-9]|1[0-2])$" },
        expiry_year: { type: "string", pattern: "^(\\d{2}|\\d{4})$" },
        cvv: { type: "string", pattern: "^\\d{3,4}$" },
      },
    },
  },
};
const string = { type: "string" };
const data = { type: "object", properties: { token: string, brand: string, last4: string, expires_at: string } };
const answer = { type: "object", properties: { data } };

const INSERT = `with scope as materialized (select set_config('app.accounts', $1::text, true)::uuid as account)
  insert into card_tokens (account_id, id, hash, brand, last4, fingerprint, wrapped_key, sealed_card, sealed_cvv,
    expires_at)
  select account, $2, $3, $4, $5, $6, $7, $8, $9, $10 from scope`;

function encrypt(key, plain, context) {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(context));
  const encrypted = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted]);
}

function passesLuhn(number) {
  let sum = 0;
  for (let index = 0; index < number.length; index += 1) {
    const digit = Number(number[number.length - 1 - index]) * (1 + (index % 2));
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 === 0;
}

const owners = new Map((await pool.query("select key, account_id from public_keys")).rows.map(Object.values));
const app = fastify();

app.post("/api/public/v1/card-tokens", { schema: { body, response: { 201: answer } } }, async (request, reply) => {
  const account = owners.get(request.headers["x-public-key"]);
  if (!account) return reply.code(401).send({ message: "Unauthorized" });
  const { cvv, ...card } = request.body.card;
  const number = card.number.replace(/[\s-]/g, "");
  const brand = brandOf(number);
  if (!brand || !passesLuhn(number)) return reply.code(422).send({ message: "Invalid" });
  const [id, opaque, key] = [newId(), randomBytes(32).toString("base64url"), randomBytes(32)];
  const context = `card:${account}:${id}`;
  const fromToken = Buffer.from(hkdfSync("sha256", opaque, "", "repasse card token", 64));
  const [cvvKey, half] = [fromToken.subarray(0, 32), fromToken.subarray(32)];
  const expiresAt = new Date(Date.now() + LIFETIME_MS);
  const values = [
    account,
    id,
    createHash("sha256").update(opaque).digest(),
    brand,
    number.slice(-4),
    createHmac("sha256", CARD_FINGERPRINT_KEY).update(number).digest(),
    Buffer.concat([mark, encrypt(ringKey, key, context)]),
    encrypt(createHmac("sha256", half).update(key).digest(), JSON.stringify({ ...card, number }), context),
    encrypt(cvvKey, cvv, `cvv:${account}:${id}`),
    expiresAt,
  ];
  await pool.query({ name: "tokenize", text: INSERT, values });
  reply
    .code(201)
    .header("access-control-allow-origin", request.headers.origin ?? "")
    .header("vary", "Origin");
  const token = `card_token.${opaque}`;
  return { data: { token, brand, last4: number.slice(-4), expires_at: expiresAt.toISOString() } };
});

await app.listen({ port: Number(PORT), host: "127.0.0.1" });
process.send({ kind: "ready" });
process.once("SIGTERM", () => process.exit());
