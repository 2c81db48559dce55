import { isSqlState, type Query, queryOf, runPrepared, scopeOf, type Tx } from "@/lib/db";
import { type Answer, AppError } from "@/lib/errors";
import { decrypt, encrypt } from "@/lib/vault/vault";

/** A request's Idempotency-Key, by which a caller promises that a repeat means the same. */
export type Idem = {
  accountId: string;
  key: string;
  /** Of the request's bytes. */
  requestHash: Buffer;
  /** Of the value of its body, which a repeat may write otherwise; a release that knows only bytes runs beside this one. */
  valueHash?: Buffer;
  /** Renders the answer as it is sent, so that what is stored is what was sent, byte for byte. */
  render(result: unknown): Answer;
};

/** The request that a verb runs for: its key, if it has one, and its id, which the verb's records keep. */
export type Intent = { idem: Idem | undefined; requestId: string };

/**
 * The stored answer of a replay, or undefined for any other error. A verb throws a replay when the request's key has an
 * answer already, and `endpoint()` sends that answer.
 */
export const replayOf = (error: unknown): Answer | undefined =>
  error instanceof Error && "replayed" in error ? (error.replayed as Answer) : undefined;

const context = ({ accountId, key }: Idem) => `idempotency:${accountId}:${key}`;

/** Encrypts an answer, because it may show a secret once. */
export const encryptAnswer = (idem: Idem, { body }: Answer) => encrypt(body, context(idem));

/**
 * Runs a verb's effects once per key, inside the verb's own transaction: the key goes in first, the answer last, so
 * both commit with the effect and a crash leaves neither. A repeat that arrives meanwhile waits at the key's unique
 * index (lock_timeout 10 s, then `idempotency_in_progress`).
 * Throws a replay when the key has its answer, and `idempotency_key_reused` when it was used for another request.
 */
export async function once<T>(tx: Tx, idem: Idem | undefined, run: () => Promise<T>): Promise<T> {
  if (!idem) return run();
  if (!(await claim(tx, idem))) {
    const { accountId, key } = idem;
    const stored = await tx.idempotencyKey.findUniqueOrThrow({ where: { accountId_key: { accountId, key } } });
    return throwReplay(idem, stored);
  }
  const result = await run();
  await keepAnswer(tx, idem, idem.render(result));
  return result;
}

/**
 * Claims a key. A verb of two transactions claims it in the first one, for the record that it makes. Returns false when
 * an earlier or simultaneous request has claimed it. Throws `idempotency_in_progress` when that request has not
 * committed within 10 s.
 */
export async function claim(
  tx: Tx,
  { accountId, key, requestHash, valueHash }: Idem,
  resourceId?: string,
): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    insert into idempotency_keys (account_id, key, request_hash, value_hash, resource_id)
    values (${accountId}::uuid, ${key}, ${requestHash}, ${valueHash ?? null}, ${resourceId ?? null}::uuid)
    on conflict do nothing`.catch(inProgress);
  return inserted === 1;
}

/** Stores the answer of a claimed key. Returns false when the key has an answer already. */
export async function keepAnswer(tx: Tx | Query, idem: Idem, answer: Answer): Promise<boolean> {
  const query = typeof tx === "function" ? tx : queryOf(tx);
  const values = [idem.accountId, idem.key, answer.status, new Uint8Array(encryptAnswer(idem, answer))];
  return (await query("idempotency_keep", KEEP, values)).length === 1;
}

const KEEP = `update idempotency_keys set status = $3, answer = $4
  where account_id = $1::uuid and key = $2 and answer is null returning true as kept`;

/** Frees a claimed key that has no answer, so that a repeat of it is a new request. */
export async function freeKey(tx: Tx | Query, { accountId, key }: Idem): Promise<void> {
  const query = typeof tx === "function" ? tx : queryOf(tx);
  await query("idempotency_free", FREE, [accountId, key]);
}

const FREE = "delete from idempotency_keys where account_id = $1::uuid and key = $2 and answer is null";

/**
 * The record for which a key was claimed. Throws `idempotency_key_reused` when another request claimed the key, and
 * `idempotency_in_progress` when it was claimed for no record.
 */
export async function findClaimed(tx: Tx, idem: Idem): Promise<string> {
  const { accountId, key } = idem;
  const row = await tx.idempotencyKey.findUniqueOrThrow({ where: { accountId_key: { accountId, key } } });
  if (!isSameRequest(idem, row)) throw new AppError("idempotency_key_reused");
  if (!row.resourceId) throw new AppError("idempotency_in_progress");
  return row.resourceId;
}

type Hashes = { requestHash: Uint8Array; valueHash: Uint8Array | null };
type Stored = Hashes & { status: number; answer: Buffer | null; resource_id: string | null };

/** Throws the replay of a key that was used before, and `idempotency_in_progress` where it has no answer yet. */
export async function assertUnused(idem: Idem): Promise<void> {
  const stored = await findStored(idem);
  if (stored) throwReplay(idem, stored);
}

/** Throws the replay of a key that a one-statement verb could not claim. */
export async function replay(idem: Idem): Promise<never> {
  await findReplay(idem);
  throw new AppError("idempotency_in_progress"); // the key was purged between the two statements
}

/**
 * Throws the replay of a key, if it has an answer. A verb with a foreign call asks this before it calls. Returns also
 * when a verb of two transactions has committed only the first, with whether that is so. Throws `idempotency_key_reused` and
 * `idempotency_in_progress` too.
 */
export async function findReplay(idem: Idem | undefined): Promise<boolean> {
  const stored = idem && (await findStored(idem));
  if (!stored) return false;
  if (!stored.answer && stored.resource_id && isSameRequest(idem, stored)) return true;
  throwReplay(idem, stored);
}

async function findStored({ accountId, key }: Idem): Promise<Stored | undefined> {
  const [stored] = await runPrepared<Stored>("idempotency_replay", STORED, [accountId, key]);
  return stored;
}

const STORED = `select k.request_hash as "requestHash", k.value_hash as "valueHash", k.status, k.answer, k.resource_id
  from ${scopeOf("$1")}
  cross join lateral (
    select * from idempotency_keys where account_id = scope.account and key = $2 limit 1
  ) k`;

/** Throws `idempotency_in_progress` for a lock time-out, which means that the first request still runs. */
export function inProgress(error: unknown): never {
  if (isSqlState(error, "55P03")) throw new AppError("idempotency_in_progress", { cause: error });
  throw error;
}

const isSameRequest = ({ requestHash, valueHash }: Idem, stored: Hashes) =>
  requestHash.equals(stored.requestHash) || (stored.valueHash !== null && valueHash?.equals(stored.valueHash) === true);

function throwReplay(idem: Idem, stored: Hashes & { status: number; answer: Uint8Array | null }): never {
  if (!isSameRequest(idem, stored)) throw new AppError("idempotency_key_reused");
  const { status, answer } = stored;
  if (!answer) throw new AppError("idempotency_in_progress");
  const replayed: Answer = { status, body: decrypt(answer, context(idem)).toString() };
  throw Object.assign(new Error("The key has its answer already"), { replayed });
}
