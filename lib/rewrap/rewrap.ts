import { documentContext } from "@/lib/account-documents/send";
import { cardContext } from "@/lib/card-tokens/tokenize";
import { asSystem, type Tx } from "@/lib/db";
import { evidenceContext } from "@/lib/disputes/evidence";
import { contentContext } from "@/lib/mail/write";
import { personContext } from "@/lib/privacy/places";
import { settingsContext } from "@/lib/rails/pix/connected";
import { trackingContext } from "@/lib/tracking/save";
import { totpContext } from "@/lib/users/totp";
import { firstMark, rewrap } from "@/lib/vault/vault";
import { tokenContext } from "@/lib/webhooks/create";

type Source = {
  table: string;
  column: string;
  /** The type of `id`, and a value that sorts before every id. */
  type: "uuid" | "int";
  first: string;
  context: (accountId: string, id: string) => string;
  /** The id alone is the key, and a row may have no account. */
  isOfAll?: true;
};

const NIL = "00000000-0000-0000-0000-000000000000";
const ofCard = { column: "wrapped_key", type: "uuid", first: NIL, context: cardContext } as const;

/**
 * Every column that the ring encrypts, except answers kept for an Idempotency-Key, which live for only a day, and the tokens
 * of providers: a provider is asked for another where one cannot be decrypted (`lib/outside/token.ts`).
 */
const sources: readonly Source[] = [
  { table: "card_tokens", ...ofCard },
  { table: "stored_cards", ...ofCard },
  { table: "account_documents", ...ofCard, context: documentContext },
  { table: "dispute_files", ...ofCard, context: evidenceContext },
  { table: "webhooks", column: "sealed_token", type: "int", first: "0", context: tokenContext },
  { table: "webhook_previous_tokens", column: "sealed_token", type: "uuid", first: NIL, context: tokenContext },
  {
    table: "mails",
    column: "sealed_content",
    type: "uuid",
    first: NIL,
    context: (_, id) => contentContext(id),
    isOfAll: true,
  },
  {
    table: "users",
    column: "sealed_totp",
    type: "uuid",
    first: NIL,
    context: (_, id) => totpContext(id),
    isOfAll: true,
  },
  {
    table: "tracking_integrations",
    column: "sealed_token",
    type: "uuid",
    first: NIL,
    context: trackingContext,
  },
  {
    table: "pix_providers",
    column: "sealed_settings",
    type: "uuid",
    first: NIL,
    context: (_, id) => settingsContext(id),
    isOfAll: true,
  },
  { table: "erasures", column: "sealed_person", type: "uuid", first: NIL, context: personContext },
];

/** Rows per transaction. A charge that needs one of them waits for one transaction at most. */
const BATCH = 500;

export type Rewrapped = { table: string; done: number; failed: number };

/**
 * Encrypts under the ring's first key what an older key had encrypted: data keys, not the cards and documents under them. Charges
 * continue meanwhile; a row that changes during the run is left for the next run. The run may be stopped at any time
 * and started again, because it looks for rows that are not under the first key yet. `failed` rows cannot be decrypted,
 * because their key is missing. `answers` are stored answers under an older key; they expire within a day, and then
 * that key can be removed.
 */
export async function rewrapAll(): Promise<{ tables: Rewrapped[]; answers: number }> {
  const tables: Rewrapped[] = [];
  for (const source of sources) tables.push(await rewrapTable(source));
  const text =
    "select count(*)::int as count from idempotency_keys where substr(answer, 1, length($1::bytea)) <> $1::bytea";
  const [row] = await asSystem((tx) => tx.$queryRawUnsafe<{ count: number }[]>(text, firstMark()));
  return { tables, answers: row?.count ?? 0 };
}

async function rewrapTable(source: Source): Promise<Rewrapped> {
  const total = { table: source.table, done: 0, failed: 0 };
  for (let after: Place = { account_id: NIL, id: source.first }; ; ) {
    const { last, done, failed } = await asSystem((tx) => rewrapSome(tx, source, after));
    total.done += done;
    total.failed += failed;
    if (!last) return total;
    after = last;
  }
}

type Place = { account_id: string; id: string };
type Row = Place & { encrypted: Uint8Array };

async function rewrapSome(tx: Tx, source: Source, after: Place) {
  const { table, column, type, isOfAll } = source;
  const account = isOfAll ? `'${NIL}'::uuid` : "t.account_id";
  const isAfter = isOfAll
    ? `$2::uuid is not null and t.id > $3::text::${type}`
    : `(t.account_id, t.id) > ($2::uuid, $3::text::${type})`;
  // The limit counts the rows that are read, not those that need work, so that one statement never reads a whole table.
  const looked = await tx.$queryRawUnsafe<(Place & { encrypted: Uint8Array | null })[]>(
    `select ${account}::text as account_id, t.id::text,
       case when substr(t.${column}, 1, length($1::bytea)) <> $1::bytea then t.${column} end as encrypted
     from ${table} t where ${isAfter}
     order by ${isOfAll ? "" : "t.account_id, "}t.id limit ${BATCH}`,
    ...[firstMark(), after.account_id, after.id],
  );
  const rows = looked.filter((row): row is Row => row.encrypted !== null);
  const fresh = rows.flatMap((row) => rewrapOne(row, source));
  const done = await tx.$executeRawUnsafe(
    `update ${table} t set ${column} = decode(n.after, 'hex')
     from json_to_recordset($1::text::json) as n(account_id uuid, id ${type}, before text, after text)
     where ${account} = n.account_id and t.id = n.id and t.${column} = decode(n.before, 'hex')`,
    JSON.stringify(fresh),
  );
  return { last: looked.at(-1), done, failed: rows.length - fresh.length };
}

function rewrapOne({ account_id, id, encrypted }: Row, { context }: Source) {
  try {
    const after = rewrap(encrypted, context(account_id, id)).toString("hex");
    return [{ account_id, id, before: Buffer.from(encrypted).toString("hex"), after }];
  } catch {
    return []; // its key is missing; the report counts it
  }
}
