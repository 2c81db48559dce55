import { mayCrash } from "@/lib/crash-points";
import { asSystem, forAccount, type Tx } from "@/lib/db";
import { log } from "@/lib/log";

/** Our id of a call; a card charge has its sale's id. Only one call is ever made under an id. */
export type CallKey = { accountId: string; id: string };

/** A row of `rail_calls`. Its age is by the database's clock, because the clocks of web and worker may differ. */
export type Call = CallKey & { provider: string; ageMs: number; isAnswered: boolean };

/** The answer for a call that surely never reached the provider and never will. */
export type Lost = { status: "lost" };
const LOST: Lost = { status: "lost" };

/** A call is not sent later than this after it was begun. */
const SEND_WITHIN_MS = 20_000;
/** A call this old that its provider does not know never reached it. Far longer than `SEND_WITHIN_MS`. */
const LOST_AFTER_MS = 15 * 60_000;

/**
 * One kind of call: how its outcome is found and written. Its noun defines it, and `lib/jobs/registry.ts` its sweep.
 */
export type Kind<Answer> = {
  /** The name of the kind in `rail_calls`. */
  name: string;

  /** The age at which a call that the provider does not know is lost; 15 minutes by default. */
  lostAfterMs?: number;

  /**
   * The outcome under our id; null when the provider does not know the id. Throws while there is no answer or outcome.
   */
  find(call: Call): Promise<Answer | null>;

  /** The accounts whose money the outcome may move; only the call's own where this is not defined. */
  accounts?(call: CallKey): Promise<string[]>;

  /** Writes the outcome of the call. Called once, with the first of several answers. */
  write(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;

  /** Handles an answer that arrives after the first one was written; without it such an answer changes nothing. */
  writeSecond?(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;
};

/** Asks a provider once. Throws where no answer came in time, or none that can be parsed. */
export type Ask<Answer> = () => Promise<Answer | Lost>;

type Making<Answer, T> = {
  kind: Kind<Answer>;
  provider: string;

  /** Writes the record that the call is about. Resolves to how to ask, or undefined where there is nothing to ask. */
  begin(tx: Tx): Promise<Ask<Answer> | undefined>;

  /** Writes more in the second transaction. */
  also?(tx: Tx): Promise<T>;

  /** Runs where the second transaction fails, which the sweep will then repeat. */
  otherwise?(): Promise<T>;
};

/**
 * Makes a call once. The first transaction writes the record and the call, then the provider is asked with no
 * transaction open, and the second transaction writes its answer. No answer is not a failure: the sweep asks about our
 * id. Resolves to the result of `also`; undefined where nothing was asked, because `begin` had nothing to ask or the
 * call was begun before.
 * Throws what `begin` throws.
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
  // From here on money may have moved. Whatever fails, the sweep finishes the call.
  const written = await (answer ? finishCall(kind, call, answer, also) : leaveOpen(call, also)).catch((error) => {
    log.error({ ...call, kind: kind.name, error }, "the outcome of a call was not written; the sweep will write it");
    return otherwise?.();
  });
  mayCrash("call.finished");
  return written;
}

const nothing = async () => undefined;

/** Records a call before it is made, so that the sweep asks for its outcome. Returns false if it was begun before. */
export async function beginCall(
  tx: Tx,
  { accountId, id, kind, provider }: CallKey & { kind: string; provider: string },
): Promise<boolean> {
  const { count } = await tx.railCall.createMany({ data: { accountId, id, kind, provider }, skipDuplicates: true });
  return count === 1;
}

/**
 * The second transaction of a call: it writes the outcome, all that follows, and what `also` writes, together. Safe to
 * run twice, and twice at once. Resolves to the result of `also`.
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
    const { count } = await tx.railCall.updateMany(unanswered); // a second caller waits here for the first
    await (count === 1 ? kind.write(tx, call, answer) : kind.writeSecond?.(tx, call, answer));
    const result = await also(tx);
    mayCrash("call.finishing");
    return result;
  });
}

/** The second transaction where the provider's answer is unknown: the sweep asks 2 s from now at the latest. */
export const leaveOpen = <T>({ accountId, id }: CallKey, also: (tx: Tx) => Promise<T>): Promise<T> =>
  forAccount(accountId, async (tx) => {
    await tx.$executeRaw`
      update rail_calls set ask_at = least(ask_at, now() + interval '2 seconds')
      where account_id = ${accountId}::uuid and id = ${id}::uuid and answered_at is null`;
    const result = await also(tx);
    mayCrash("call.finishing");
    return result;
  });

/** How many calls of one kind a run asks about, all at once. */
const BATCH = 50;

/**
 * Sweep: asks about each call of a kind whose outcome is unknown, again and again until it is known. It asks again
 * after a quarter of the call's age, at least 10 s, because no question lasts longer, and at most an hour. A run asks
 * about fifty calls only, because it would never end where no provider answers. Returns how many were asked about.
 */
export async function resolveDueCalls<Answer>(kind: Kind<Answer>): Promise<number> {
  const due = await claimDue(kind.name);
  await Promise.all(
    due.map((call) =>
      resolveCall(kind, call).catch((error) =>
        log.warn({ ...call, kind: kind.name, error }, "the outcome of a call is not known yet"),
      ),
    ),
  );
  return due.length;
}

/** Claims due calls by moving their next question ahead; if this process dies, another asks then. */
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
 * Asks about a call whose outcome is unknown, under its own id; the call itself is never made again. Throws while the
 * provider does not answer, or does not know the id and may still get it.
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
