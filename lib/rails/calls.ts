import { actAs } from "@/lib/actor";
import {
  forAccount,
  IN_SCOPE,
  isPicked,
  type Query,
  runPrepared,
  SCOPE_OF_ALL,
  type Tx,
  transactionFor,
} from "@/lib/db";
import { log } from "@/lib/log";
import { mayCrash } from "@/lib/process/crash-points";

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
 * One kind of call: how its outcome is found and written. Its noun defines it, and `lib/jobs/registry.ts` names it.
 */
export type Kind<Answer, Row = unknown> = {
  /** The name of the kind in `rail_calls`. */
  name: string;

  /** The age at which a call that the provider does not know is lost; 15 minutes by default. */
  lostAfterMs?: number;

  /**
   * The outcome under our id; null when the provider does not know the id. Throws while there is no answer or outcome.
   */
  find(call: Call): Promise<Answer | null>;

  /**
   * Writes the outcome of the call, within the scope of its account. Called once, with the first of several answers.
   * Resolves to the record that the call is about, if it was changed.
   */
  write(query: Query, call: CallKey, answer: Answer | Lost): Promise<Row | undefined>;

  /** Handles an answer that arrives after the first one was written; without it such an answer changes nothing. */
  writeSecond?(query: Query, call: CallKey, answer: Answer | Lost): Promise<void>;
};

/** Asks a provider once. Throws where no answer came in time, or none that can be parsed. */
export type Ask<Answer> = () => Promise<Answer | Lost>;

type Making<Answer, Row, T> = {
  kind: Kind<Answer, Row>;
  provider: string;

  /** Writes the record that the call is about. Resolves to how to ask, or undefined where there is nothing to ask. */
  begin(tx: Tx): Promise<Ask<Answer> | undefined>;

  /** Writes more in the second transaction; `row` is the record if that changed it. */
  also?(query: Query, row?: Row): Promise<T>;

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
export async function makeCall<Answer, Row, T>(
  call: CallKey,
  { kind, provider, begin, also = nothing, otherwise }: Making<Answer, Row, T | undefined>,
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
export const finishCall = <Answer, Row, T>(
  kind: Kind<Answer, Row>,
  { accountId, id }: CallKey,
  answer: Answer | Lost,
  also: (query: Query, row?: Row) => Promise<T | undefined> = nothing,
): Promise<T | undefined> =>
  transactionFor(accountId, async (query) => {
    const call = { accountId, id };
    // A second caller waits for the first.
    const [first] = await query<{ provider: string }>("call_answered", ANSWERED, [accountId, id]);
    const row = first
      ? await actAs({ kind: "rail", id: first.provider }, () => kind.write(query, call, answer))
      : void (await kind.writeSecond?.(query, call, answer));
    const result = await also(query, row);
    mayCrash("call.finishing");
    return result;
  });

const ANSWERED = `update rail_calls set answered_at = now()
  where account_id = $1::uuid and id = $2::uuid and answered_at is null returning provider`;

/** The second transaction where the provider's answer is unknown: the sweep asks 2 s from now at the latest. */
export const leaveOpen = <T>({ accountId, id }: CallKey, also: (query: Query) => Promise<T>): Promise<T> =>
  transactionFor(accountId, async (query) => {
    await query("call_open", OPEN, [accountId, id]);
    const result = await also(query);
    mayCrash("call.finishing");
    return result;
  });

const OPEN = `update rail_calls set ask_at = least(ask_at, now() + interval '2 seconds')
  where account_id = $1::uuid and id = $2::uuid and answered_at is null`;

/** How many calls of one kind a batch asks about, all at once. */
const BATCH = 50;

/**
 * Asks about a batch of the calls of these kinds whose outcome is unknown, again and again until it is known. It asks
 * again after a quarter of the call's age, at least 10 s, because no question lasts longer, and at most an hour.
 * Returns whether more may be due.
 */
export async function resolveDueCalls(kinds: readonly Kind<unknown>[]): Promise<boolean> {
  const due = await runPrepared<CallKey & { kind: string }>("", CLAIM, [kinds.map(({ name }) => name)]);
  const counts = await Promise.all(
    kinds.map((kind) =>
      resolve(
        kind,
        due.filter((call) => call.kind === kind.name),
      ),
    ),
  );
  return counts.some((count) => count === BATCH);
}

async function resolve(kind: Kind<unknown>, due: readonly CallKey[]): Promise<number> {
  const unknown: CallKey[] = [];
  const failed = (call: CallKey) => (error: unknown) => {
    unknown.push(call);
    log.warn({ ...call, kind: kind.name, error }, "the outcome of a call is not known yet");
  };
  await Promise.all(due.map((call) => resolveCall(kind, call).catch(failed(call))));
  if (unknown.length > 0) await runPrepared("calls_later", LATER, columnsOf(unknown));
  return due.length;
}

const columnsOf = (calls: readonly CallKey[]) => [calls.map(({ accountId }) => accountId), calls.map(({ id }) => id)];

const LATER = `with ${SCOPE_OF_ALL}
  update rail_calls c
  set ask_at = now() + least(greatest((now() - c.created_at) / 4, interval '10 seconds'), interval '1 hour')
  from scope cross join unnest($1::uuid[], $2::uuid[]) as unknown(account_id, id)
  where ${IN_SCOPE} and c.account_id = unknown.account_id and c.id = unknown.id and c.answered_at is null`;

/** Claims due calls by moving their next question ahead by longer than one lasts; if this process dies, another asks then. */
const CLAIM = `with ${SCOPE_OF_ALL}, due as (
    select d.* from unnest($1::text[]) as of(kind) cross join lateral (
      select account_id, id from rail_calls
      where ${IN_SCOPE} and kind = of.kind and answered_at is null and ask_at <= now()
      order by ask_at limit ${BATCH} for update skip locked
    ) d
  )
  update rail_calls c set ask_at = now() + interval '8 seconds'
  from due d where ${IN_SCOPE} and ${isPicked("c", "d")}
  returning c.account_id as "accountId", c.id, c.kind`;

/**
 * Asks about a call whose outcome is unknown, under its own id; the call itself is never made again. Throws while the
 * provider does not answer, or does not know the id and may still get it.
 */
export async function resolveCall(kind: Kind<unknown>, key: CallKey): Promise<void> {
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
  const [call] = await runPrepared<Call>("call_read", READ, [accountId, id]);
  if (!call) throw new Error(`No call ${id}`);
  return call;
}

const READ = `select c.account_id as "accountId", c.id, c.provider, c.answered_at is not null as "isAnswered",
    (extract(epoch from clock_timestamp() - c.created_at) * 1000)::float8 as "ageMs"
  from (select set_config('app.accounts', $1::text, true) as account offset 0) scope
  cross join lateral (
    select * from rail_calls where account_id = scope.account::uuid and id = $2::uuid offset 0
  ) c`;
