import { mayCrash } from "@/lib/crash-points";
import { asSystem, forAccount, type Tx } from "@/lib/db";
import { log } from "@/lib/log";

/** Our id of what we want from the outside: a sale's, for its charge. One call is made under an id, ever. */
export type CallKey = { accountId: string; id: string };

/** A call as its table has it. Its age is by the database's clock: web and worker may disagree about the time. */
export type Call = CallKey & { provider: string; ageMs: number; isAnswered: boolean };

/** The call surely never reached the provider: nothing happened there, and nothing will. */
export type Lost = { status: "lost" };
export const LOST: Lost = { status: "lost" };

/** A call is sent no later than this after it was begun. */
const SEND_WITHIN_MS = 20_000;
/** After so long an id that its provider does not know never reached it: far longer than `SEND_WITHIN_MS`. */
const LOST_AFTER_MS = 15 * 60_000;

/** One kind of call: how its end is found and written down. Its noun has it, and `lib/jobs/registry.ts` its sweep. */
export type Kind<Answer> = {
  /** Names the kind in `rail_calls`. */
  name: string;

  /** After how long an id that the provider does not know is lost; a quarter of an hour where it is not said. */
  lostAfterMs?: number;

  /** What the provider says became of our id; null: it does not know it. Throws while there is no answer, or no end. */
  find(call: Call): Promise<Answer | null>;

  /** Which accounts the answer is written for, where it is more than the call's own: those whose money it may move. */
  accounts?(call: CallKey): Promise<string[]>;

  /** Writes down what became of the call, once: of several answers at once or after one another only the first. */
  write(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;

  /** Another answer that comes after the first was written; where this is not there, it changes nothing. */
  writeLate?(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;
};

/** How a provider is asked, once. Throws where there is no answer in time, or none that can be read. */
export type Ask<Answer> = () => Promise<Answer | Lost>;

export type Making<Answer, T> = {
  kind: Kind<Answer>;
  provider: string;

  /** Writes the record that the call is about, and resolves to how to ask; undefined where there is nothing to ask. */
  begin(tx: Tx): Promise<Ask<Answer> | undefined>;

  /** What else the second transaction writes. */
  also?(tx: Tx): Promise<T>;

  /** What to do where that transaction fails; the sweep will have it done. */
  otherwise?(): Promise<T>;
};

/**
 * Makes a call, once: the first transaction writes the record and that the call is begun; then the provider is asked,
 * with no transaction open; the second writes down what it said. No answer is not a failure: the sweep asks what became
 * of our id. Resolves to what `also` does; undefined where nothing was asked, because `begin` had nothing to ask, or the
 * call was begun before. Throws what `begin` throws.
 */
export async function makeCall<Answer, T>(
  call: CallKey,
  { kind, provider, begin, also = nothing, otherwise }: Making<Answer, T | undefined>,
): Promise<T | undefined> {
  const startedAt = performance.now();
  const ask = await forAccount(call.accountId, async (tx) => {
    const ask = await begin(tx);
    const isBegun = ask && (await beginCall(tx, { ...call, kind: kind.name, provider }));
    mayCrash("call.beginning");
    return isBegun ? ask : undefined;
  });
  mayCrash("call.begun");
  if (!ask) return undefined;

  const send = async () => (performance.now() - startedAt > SEND_WITHIN_MS ? LOST : ask());
  const answer = await send().catch((error) => {
    log.warn({ ...call, kind: kind.name, error }, "a provider did not answer");
    return null;
  });
  mayCrash("call.answered");
  // From here on money may have moved: whatever fails, the sweep finishes the call.
  const written = await (answer ? finishCall(kind, call, answer, also) : leaveOpen(call, also)).catch((error) => {
    log.error({ ...call, kind: kind.name, error }, "what became of a call was not written down; the sweep will do it");
    return otherwise?.();
  });
  mayCrash("call.finished");
  return written;
}

const nothing = async () => undefined;

/** Notes that a provider is about to be called, so that the end will be asked for. False: it was begun before. */
export async function beginCall(
  tx: Tx,
  { accountId, id, kind, provider }: CallKey & { kind: string; provider: string },
): Promise<boolean> {
  const { count } = await tx.railCall.createMany({ data: { accountId, id, kind, provider }, skipDuplicates: true });
  return count === 1;
}

/**
 * The second transaction of a call: what became of it, with all that follows, and what `also` writes, together or not at
 * all. Safe to run twice, and twice at once. Resolves to what `also` does.
 */
export async function finishCall<Answer, T>(
  kind: Kind<Answer>,
  { accountId, id }: CallKey,
  answer: Answer | Lost,
  also: (tx: Tx) => Promise<T | undefined> = nothing,
): Promise<T | undefined> {
  const call = { accountId, id };
  const accounts = (await kind.accounts?.(call)) ?? [accountId];
  return forAccount(accounts, async (tx) => {
    const unanswered = { where: { ...call, answeredAt: null }, data: { answeredAt: new Date() } };
    const { count } = await tx.railCall.updateMany(unanswered); // whoever comes second waits here
    await (count === 1 ? kind.write(tx, call, answer) : kind.writeLate?.(tx, call, answer));
    const result = await also(tx);
    mayCrash("call.finishing");
    return result;
  });
}

/** The second transaction where nobody knows what the provider said: the sweep asks 2 s from now, if not sooner. */
export const leaveOpen = <T>({ accountId, id }: CallKey, also: (tx: Tx) => Promise<T>): Promise<T> =>
  forAccount(accountId, async (tx) => {
    await tx.$executeRaw`
      update rail_calls set ask_at = least(ask_at, now() + interval '2 seconds')
      where account_id = ${accountId}::uuid and id = ${id}::uuid and answered_at is null`;
    const result = await also(tx);
    mayCrash("call.finishing");
    return result;
  });

/** Calls of one kind that are asked about at once, in one run. */
const BATCH = 50;

/**
 * Sweep: asks about each call of a kind whose end is not known, and again until it is, however long that takes: after a
 * quarter of its age, at least 10 s, which no question outlasts, and at most an hour. A run ends with its first fifty:
 * where no provider answers, more would be due for ever. Returns how many were asked about.
 */
export async function resolveDueCalls<Answer>(kind: Kind<Answer>): Promise<number> {
  const due = await claimDue(kind.name);
  await Promise.all(
    due.map((call) =>
      resolveCall(kind, call).catch((error) =>
        log.warn({ ...call, kind: kind.name, error }, "it is not known yet what became of a call"),
      ),
    ),
  );
  return due.length;
}

/** Whoever claims a call asks about it; should that process die, the next to come does. */
const claimDue = (kind: string) =>
  asSystem(
    (tx) => tx.$queryRaw<CallKey[]>`
      update rail_calls
      set ask_at = now() + least(greatest((now() - created_at) / 4, interval '10 seconds'), interval '1 hour')
      where ctid = any(array(
        select ctid from rail_calls where kind = ${kind} and answered_at is null and ask_at <= now()
        order by ask_at limit ${BATCH} for update skip locked
      ))
      returning account_id as "accountId", id`,
  );

/**
 * Asks about a call whose end is unknown, under its own id; the call itself is never made again. Throws while the
 * provider does not answer, or does not know the id but still might.
 */
export async function resolveCall<Answer>(kind: Kind<Answer>, key: CallKey): Promise<void> {
  const call = await readCall(key);
  if (call.isAnswered) return;
  const answer = await kind.find(call);
  mayCrash("call.found");
  const { lostAfterMs = LOST_AFTER_MS } = kind;
  if (!answer && call.ageMs < lostAfterMs) throw new Error(`${call.provider} does not know ${call.id} yet`);
  await finishCall(kind, call, answer ?? LOST);
}

/** Throws when there is no such call. */
export async function readCall({ accountId, id }: CallKey): Promise<Call> {
  const [call] = await forAccount(
    accountId,
    (tx) => tx.$queryRaw<Call[]>`
      select account_id as "accountId", id, provider, answered_at is not null as "isAnswered",
        (extract(epoch from clock_timestamp() - created_at) * 1000)::float8 as "ageMs"
      from rail_calls where account_id = ${accountId}::uuid and id = ${id}::uuid`,
  );
  if (!call) throw new Error(`No call ${id}`);
  return call;
}
