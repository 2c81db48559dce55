import { isSqlState, statement, type Tx } from "@/lib/db";
import { type Answer, AppError } from "@/lib/errors";
import { open, seal } from "@/lib/vault";

/** One caller's promise that a repeat is the same intent (IETF Idempotency-Key; operations.md section 0). */
export type Idem = {
  accountId: string;
  key: string;
  requestHash: Buffer;
  /** The answer as it goes over the wire, so that what is stored is what was sent, byte for byte. */
  render(result: unknown): Answer;
};

/** Which request a verb runs for: its key, if it has one, and the id that its records keep. */
export type Intent = { idem: Idem | undefined; requestId: string };

/**
 * The stored answer that a thrown error carries, if it is a replay: verbs throw one where the key of a request has an
 * answer already, and `endpoint()` sends that answer.
 */
export const replayOf = (error: unknown): Answer | undefined =>
  error instanceof Error && "replayed" in error ? (error.replayed as Answer) : undefined;

const context = ({ accountId, key }: Idem) => `idempotency:${accountId}:${key}`;

/** The answer of an effect, encrypted because it may show a secret once. */
export const sealAnswer = (idem: Idem, { body }: Answer) => seal(body, context(idem));

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
    return throwReplay(idem, stored.requestHash, stored.status, stored.answer);
  }
  const result = await run();
  await keepAnswer(tx, idem, idem.render(result));
  return result;
}

/**
 * Takes a key; a verb of two transactions does so in its first, for the record that it makes. False: taken before, by a
 * earlier request or one at the same moment. Throws `idempotency_in_progress` when that one holds it open for 10 s.
 */
export async function claim(tx: Tx, { accountId, key, requestHash }: Idem, resourceId?: string): Promise<boolean> {
  const inserted = await tx.$executeRaw`
    insert into idempotency_keys (account_id, key, request_hash, resource_id)
    values (${accountId}::uuid, ${key}, ${requestHash}, ${resourceId ?? null}::uuid)
    on conflict do nothing`.catch(inProgress);
  return inserted === 1;
}

/** Keeps the answer of a key that was taken: rendered by whoever finishes. False: another one stands already. */
export async function keepAnswer(tx: Tx, idem: Idem, answer: Answer): Promise<boolean> {
  const sealed = new Uint8Array(sealAnswer(idem, answer));
  const { accountId, key } = idem;
  const { count } = await tx.idempotencyKey.updateMany({
    where: { accountId, key, answer: null },
    data: { status: answer.status, answer: sealed },
  });
  return count === 1;
}

/** The record for which a key was taken. Throws `idempotency_key_reused` when that was another request. */
export async function findClaimed(tx: Tx, { accountId, key, requestHash }: Idem): Promise<string> {
  const row = await tx.idempotencyKey.findUniqueOrThrow({ where: { accountId_key: { accountId, key } } });
  if (!requestHash.equals(row.requestHash)) throw new AppError("idempotency_key_reused");
  if (!row.resourceId) throw new AppError("idempotency_in_progress");
  return row.resourceId;
}

type Stored = { request_hash: Buffer; status: number; answer: Buffer | null; resource_id: string | null };

/** Throws the replay of a key that a one-statement verb found taken. */
export async function replay(idem: Idem): Promise<never> {
  await findReplay(idem);
  throw new AppError("idempotency_in_progress"); // the key was purged between the two statements
}

/**
 * Throws the replay of a key, if it has an answer: what a verb with a foreign call asks before it calls. Returns also
 * while a verb of two transactions is between them. Throws `idempotency_key_reused` and `idempotency_in_progress` too.
 */
export async function findReplay(idem: Idem | undefined): Promise<void> {
  if (!idem) return;
  const [stored] = await statement<Stored>(
    "idempotency_replay",
    `select k.request_hash, k.status, k.answer, k.resource_id
     from (select set_config('app.accounts', $1::text, true) as account offset 0) scope
     cross join lateral (
       select * from idempotency_keys where account_id = scope.account::uuid and key = $2 limit 1
     ) k`,
    [idem.accountId, idem.key],
  );
  if (!stored) return;
  if (!stored.answer && stored.resource_id && idem.requestHash.equals(stored.request_hash)) return;
  throwReplay(idem, stored.request_hash, stored.status, stored.answer);
}

/** A lock that was not given within 10 s means that the first request still runs. */
export function inProgress(error: unknown): never {
  if (isSqlState(error, "55P03")) throw new AppError("idempotency_in_progress", { cause: error });
  throw error;
}

function throwReplay(idem: Idem, hash: Uint8Array, status: number, answer: Uint8Array | null): never {
  if (!idem.requestHash.equals(hash)) throw new AppError("idempotency_key_reused");
  if (!answer) throw new AppError("idempotency_in_progress");
  const replayed: Answer = { status, body: open(answer, context(idem)).toString() };
  throw Object.assign(new Error("The key has its answer already"), { replayed });
}
