import { actAs } from "@/lib/actor";
import {
  forAccount,
  type Query,
  queryOf,
  runPrepared,
  scopeOf,
  type Tx,
  transactionFor,
  transactionOverAll,
} from "@/lib/db";
import { wakeOnCommit } from "@/lib/due/wake";
import { log } from "@/lib/log";
import { leases, PAUSE } from "@/lib/outside/claim";
import { mayCrash } from "@/lib/process/crash-points";

/**
 * Our id of a call; a card charge has its sale's id. Only one call is ever made under an id, and the provider knows what
 * we want by it.
 */
export type CallKey = { accountId: string; id: string };

/** A call that is written and not sent yet. `input` is what its kind needs beside the id. */
export type WrittenCall = CallKey & { provider: string; input: unknown };

/**
 * A call that is sent now. `isRepeat`: it was last sent so shortly before, without an answer, that its provider may have made it
 * and not find it yet. A refusal of a repeat is then no proof that nothing was made.
 */
export type SendingCall = WrittenCall & { isRepeat: boolean };

/**
 * A call and its stage. Its age since it was last sent is by the database's clock, because the clocks of web and worker may differ.
 */
export type SentCall = WrittenCall & {
  ageMs: number;
  /** Since the rail accepted it; null where it has not. */
  acceptedMs: number | null;
  isSent: boolean;
  isAccepted: boolean;
  isDone: boolean;
};

/**
 * The answer for a call that surely never reached the provider and never will; `retryAfterMs` where the provider has no room for
 * it at present.
 */
export type Lost = { status: "lost"; retryAfterMs?: number };
const LOST: Lost = { status: "lost" };

/** The provider took the call, and its end comes later: by a watch, or when it is asked. */
export type Accepted = { status: "accepted" };

/** A call is not sent later than this after it was begun. */
const SEND_WITHIN_MS = 20_000;

/** Asks a provider once. Throws where no answer came in time, or none that can be parsed. */
export type Ask<Answer> = () => Promise<Answer | Lost>;

/**
 * One kind of call: how it is sent, how its outcome is found, and how it is written. Its noun defines it, and
 * `lib/jobs/registry.ts` names it. The stages of a call: written, sent, perhaps accepted, done.
 */
export type CallKind<Answer, Row = unknown> = {
  /** The name of the kind in `calls`. */
  name: string;

  /**
   * Whether the provider recognises a repeat under our id: a call without an answer is then sent again. Every other call
   * is sent once, and asked about.
   */
  isIdempotent?: boolean;

  /**
   * Whether a call that surely never reached the provider is written again, to be sent later. Without it the noun is
   * given `lost`, which is the end of the call.
   */
  isResentWhenLost?: boolean;

  /** Whose money the outcome may move beside the account's own: the platforms', and that of who shares it. */
  owners?(call: CallKey): Promise<readonly string[]> | readonly string[];

  /** The age at which a sent call that the provider does not know is lost; 15 minutes by default, Infinity where it never is. */
  lostAfterMs?(provider: string): number;

  /**
   * Reads what is to be sent, within the transaction that marks the call as sent. Resolves to how to ask, or undefined
   * where there is nothing to ask any more, which ends the call. Throws where it cannot be sent now. Without it no call
   * of this kind is ever written to be sent later.
   */
  send?(tx: Tx, call: SendingCall): Promise<Ask<Answer> | undefined>;

  /**
   * The outcome under our id; null when the provider does not know the id. Throws while there is no answer or outcome.
   * A repeatable kind needs it only where its calls are accepted first.
   */
  find?(call: SentCall): Promise<Answer | null>;

  /**
   * Writes what the provider accepted, whose end is not known yet. Called once at most. The call stays open, and its
   * outcome is asked for (`find`) until it is known, however long that takes.
   */
  accept?(query: Query, call: WrittenCall, answer: Answer): Promise<Row | undefined>;

  /**
   * Writes the outcome of the call, within the scope of its account. Called once, with the first of several answers.
   * Resolves to the record that the call is about, if it was changed.
   */
  write(query: Query, call: WrittenCall, answer: Answer | Lost): Promise<Row | undefined>;

  /** Handles an answer that arrives after the first one was written; without it such an answer changes nothing. */
  writeSecond?(query: Query, call: WrittenCall, answer: Answer | Lost): Promise<void>;

  /** Which of these calls were written as not made, so that `writeSecond` has something to do where they were made after all. */
  readUnmade?(ids: readonly string[]): Promise<readonly CallKey[]>;
};

/** A call to write. It is due at once, or from `dueAt` on, in real time. */
export type NewCall = CallKey & { kind: string; provider: string; input?: object; dueAt?: Date };

/**
 * Writes calls that the loop sends once the transaction has committed (`lib/outside/run.ts`). A call that is written
 * twice is made once.
 */
export async function writeCalls(query: Query, calls: readonly NewCall[]): Promise<void> {
  if (calls.length === 0) return;
  await query("calls_write", WRITE, [JSON.stringify(calls)]);
  wakeOnCommit(query, "calls");
}

const WRITE = `insert into calls (account_id, id, kind, provider, input, due_at)
  select "accountId", id, kind, provider, input, coalesce("dueAt", now())
  from json_to_recordset($1::json) as c("accountId" uuid, id uuid, kind text, provider text, input jsonb,
    "dueAt" timestamptz)
  on conflict do nothing`;

/** Forgets a call that has ended, so that one of the same id can be written anew. */
export const forgetCall = (query: Query, { accountId, id }: CallKey) => query("call_forget", FORGET, [accountId, id]);

const FORGET = "delete from calls where account_id = $1::uuid and id = $2::uuid and done_at is not null";

/** How long a call is left to whoever sends it: the longest time that its answer may take. */
const LEASE = "interval '8 seconds'";

/**
 * Records a call as sent before it is, so that the loop asks for its outcome; it may be written already. Returns false if
 * it was begun before.
 */
export async function beginCall(
  tx: Tx,
  { accountId, id, kind, provider }: CallKey & { kind: string; provider: string },
): Promise<boolean> {
  const begun = await queryOf(tx)<CallKey>("", BEGIN, [accountId, id, kind, provider]);
  return begun.length === 1;
}

const BEGIN = `insert into calls (account_id, id, kind, provider, sent_at, asked_at, due_at)
  values ($1::uuid, $2::uuid, $3, $4, now(), now(), now() + ${LEASE})
  on conflict (account_id, id) do update set sent_at = excluded.sent_at, asked_at = excluded.asked_at, due_at = excluded.due_at
    where calls.sent_at is null and calls.done_at is null
  returning id`;

type Making<Answer, Row, T> = {
  kind: CallKind<Answer, Row>;
  provider: string;

  /** Writes the record that the call is about. Resolves to how to ask, or undefined where there is nothing to ask. */
  begin(tx: Tx): Promise<Ask<Answer> | undefined>;

  /** Writes more in the second transaction; `row` is the record if that changed it. */
  also?(query: Query, row?: Row): Promise<T>;

  /** Runs where the second transaction fails, which the loop will then repeat. */
  otherwise?(): Promise<T>;
};

/**
 * Makes a call once. The first transaction writes the record and the call, then the provider is asked with no
 * transaction open, and the second transaction writes its answer. No answer is not a failure: the loop asks about our
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
  return ask && finishAsked(kind, call, within(startedAt, ask), also, otherwise);
}

const nothing = async () => undefined;

/**
 * Sends a call that is written, or a repeatable one again. The first transaction marks it as sent; the rest is as in
 * `makeCall`. Does nothing where another one has sent it. Throws where it cannot be sent now.
 */
export async function sendCall(kind: CallKind<unknown>, key: CallKey): Promise<void> {
  const { send } = kind;
  if (!send) throw new Error(`A call of the kind ${kind.name} is not sent later`);
  const startedAt = performance.now();
  let isRepeat = false;
  const ask = await forAccount(key.accountId, async (tx) => {
    const query = queryOf(tx);
    const [call] = await query<SendingCall>("", SENT, [key.accountId, key.id, kind.isIdempotent === true]);
    const ask = call && (await send(tx, call));
    isRepeat = call?.isRepeat === true;
    if (call && !ask) await query("", DONE, [key.accountId, key.id, false]);
    mayCrash("call.beginning");
    return ask;
  });
  mayCrash("call.begun");
  if (ask) await finishAsked(kind, { ...key, isRepeat }, within(startedAt, ask), nothing);
}

/** A sent call that is this old and that its provider does not know never reached it. Far longer than `SEND_WITHIN_MS`. */
const LOST_AFTER_MS = 15 * 60_000;

/** Of two senders at once the second waits for the first, and finds the call sent. One that is sent again waits longer. */
const SENT = `update calls set sent_at = coalesce(sent_at, now()), asked_at = now(),
    due_at = now() + case when attempts > 1 then ${PAUSE} else ${LEASE} end
  from (select sent_at as first_at, coalesce(asked_at, sent_at) as before from calls where account_id = $1::uuid and id = $2::uuid for update) c
  where account_id = $1::uuid and id = $2::uuid and done_at is null and accepted_at is null
    and (c.first_at is null or $3::boolean)
  returning account_id as "accountId", id, provider, input,
    coalesce(c.before > now() - interval '${LOST_AFTER_MS} milliseconds', false) as "isRepeat"`;

/** Asks, unless so much time has passed that the loop may count the call as lost. */
const within =
  <Answer>(startedAt: number, ask: Ask<Answer>): Ask<Answer> =>
  async () =>
    performance.now() - startedAt > SEND_WITHIN_MS ? LOST : ask();

/** Asks, with no transaction open, and writes the answer in the second transaction. */
async function finishAsked<Answer, Row, T>(
  kind: CallKind<Answer, Row>,
  call: Asked,
  ask: Ask<Answer>,
  also: (query: Query, row?: Row) => Promise<T | undefined>,
  otherwise?: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const answer = await ask().catch((error) => {
    log.warn({ ...call, kind: kind.name, error }, "a provider did not answer");
    return null;
  });
  mayCrash("call.answered");
  // From here on money may have moved. Whatever fails, the loop finishes the call.
  const written = await (answer
    ? finishCall(kind, { ...call, isJustSent: true }, answer, also)
    : leaveOpen(call, also)
  ).catch((error) => {
    log.error({ ...call, kind: kind.name, error }, "the outcome of a call was not written; the loop will write it");
    return otherwise?.();
  });
  mayCrash("call.finished");
  return written;
}

/**
 * The second transaction of a call: it writes what the provider answered, all that follows, and what `also` writes,
 * together. Safe to run twice, and twice at once. Resolves to the result of `also`.
 */
export async function finishCall<Answer, Row, T>(
  kind: CallKind<Answer, Row>,
  call: Asked,
  answer: Answer | Lost,
  also: (query: Query, row?: Row) => Promise<T | undefined> = nothing,
): Promise<T | undefined> {
  const { accountId, id } = call;
  const owners = (await kind.owners?.({ accountId, id })) ?? [];
  return transactionFor([accountId, ...owners], async (query) => {
    const row = await writeAnswer(query, kind, call, answer);
    const result = await also(query, row);
    mayCrash("call.finishing");
    return result;
  });
}

async function writeAnswer<Answer, Row>(
  query: Query,
  kind: CallKind<Answer, Row>,
  { accountId, id, isRepeat = false, isJustSent = false }: Asked,
  answer: Answer | Lost,
): Promise<Row | undefined> {
  const values = [accountId, id];
  if (isLost(answer) && (kind.isResentWhenLost || kind.isIdempotent)) {
    await query("call_again", AGAIN, [...values, isRepeat]);
    return undefined;
  }
  const byProvider = (write: (call: WrittenCall) => Promise<Row | undefined>, call: WrittenCall) =>
    actAs({ kind: "rail", id: call.provider }, () => write(call));
  // A second caller waits for the first.
  if (isAccepted(answer)) {
    const [first] = await query<WrittenCall>("call_accepted", ACCEPTED, values);
    return first && byProvider(async (call) => kind.accept?.(query, call, answer as Answer), first);
  }
  // A provider that refuses what it has accepted meanwhile refuses a repeat, and is asked for the end.
  const [first] = await query<WrittenCall>("call_done", DONE, [...values, isJustSent && isFailed(answer)]);
  if (first) return byProvider((call) => kind.write(query, call, answer), first);
  const { writeSecond } = kind;
  const [ended] = writeSecond ? await query<WrittenCall>("call_ended", ENDED, values) : [];
  if (ended) await byProvider(async (call) => void (await writeSecond?.(query, call, answer)) as undefined, ended);
  return undefined;
}

/** What was asked, whether it had been asked before, and whether the answer is that to sending it. */
type Asked = CallKey & Partial<Pick<SendingCall, "isRepeat">> & { isJustSent?: boolean };

const isLost = (answer: unknown): answer is Lost => (answer as Lost).status === "lost";
const isFailed = (answer: unknown): boolean => (answer as { status: string }).status === "failed";
const isAccepted = (answer: unknown): answer is Accepted => (answer as Accepted).status === "accepted";

/** What a kind needed to send a call goes with its end. */
const DONE = `update calls set done_at = now(), input = null, ${leases.ends}
  from (select account_id, id, input as given from calls where account_id = $1::uuid and id = $2::uuid for update) c
  where calls.account_id = c.account_id and calls.id = c.id and calls.done_at is null
    and (calls.accepted_at is null or not $3::boolean)
  returning calls.account_id as "accountId", calls.id, calls.provider, c.given as input`;

/**
 * What was accepted is asked about after a while, also where it is found accepted again, and where it was counted as lost
 * while the answer was on its way. Returns the first acceptance.
 */
const ACCEPTED = `with accepted as (
    update calls set accepted_at = coalesce(calls.accepted_at, now()), sent_at = coalesce(calls.sent_at, now()), due_at = now() + ${PAUSE}, ${leases.ends}
    from (select account_id, id, accepted_at from calls where account_id = $1::uuid and id = $2::uuid for update) c
    where calls.account_id = c.account_id and calls.id = c.id and calls.done_at is null
    returning calls.account_id, calls.id, calls.provider, calls.input, c.accepted_at is null as is_first
  )
  select account_id as "accountId", id, provider, input from accepted where is_first`;

const ENDED = `select account_id as "accountId", id, provider, input from calls
  where account_id = $1::uuid and id = $2::uuid and done_at is not null`;

/**
 * A call that never reached its provider is written, as before it was sent, and sent again after a while. Of a repeat the first
 * one may have reached it all the same.
 */
const AGAIN = `update calls set sent_at = case when $3::boolean then sent_at end,
    asked_at = case when $3::boolean then asked_at end, due_at = now() + ${PAUSE}, ${leases.ends}
  where account_id = $1::uuid and id = $2::uuid and done_at is null and accepted_at is null`;

/** The second transaction where the provider's answer is unknown: the loop asks 2 s from now at the latest. */
export const leaveOpen = <T>({ accountId, id }: CallKey, also: (query: Query) => Promise<T>): Promise<T> =>
  transactionFor(accountId, async (query) => {
    await query("call_open", OPEN, [accountId, id]);
    const result = await also(query);
    mayCrash("call.finishing");
    return result;
  });

const OPEN = `update calls set ${leases.ends},
    due_at = case when attempts <= 1 then least(due_at, now() + interval '2 seconds') else due_at end
  where account_id = $1::uuid and id = $2::uuid and done_at is null and accepted_at is null`;

/**
 * Asks about a call whose outcome is unknown, under its own id; the call itself is never made again. Throws while the
 * provider does not answer, or does not know the id and may still get it.
 */
export async function resolveCall(kind: CallKind<unknown>, key: CallKey): Promise<void> {
  const call = await readCall(key);
  if (call.isDone) return;
  if (!call.isSent) throw new Error(`${call.id} was not sent`);
  if (!kind.find) throw new Error(`Nobody can be asked about a call of the kind ${kind.name}`);
  const answer = await kind.find(call);
  mayCrash("call.found");
  const lostAfterMs = kind.lostAfterMs?.(call.provider) ?? LOST_AFTER_MS;
  const mayBeLost = !call.isAccepted && call.ageMs >= lostAfterMs;
  if (!answer && !mayBeLost) throw new Error(`${call.provider} does not know ${call.id} yet`);
  await finishCall(kind, call, answer ?? LOST);
}

/** Ends a call whose outcome a person decides. Returns false where it has its outcome. */
export async function endCall(query: Query, { accountId, id }: CallKey): Promise<boolean> {
  return (await query<WrittenCall>("call_done", DONE, [accountId, id, false])).length === 1;
}

/** Throws when there is no such call. */
export async function readCall({ accountId, id }: CallKey): Promise<SentCall> {
  const [call] = await runPrepared<SentCall>("call_read", READ, [accountId, id]);
  if (!call) throw new Error(`No call ${id}`);
  return call;
}

const READ = `select c.account_id as "accountId", c.id, c.provider, c.input, c.done_at is not null as "isDone",
    c.sent_at is not null as "isSent", c.accepted_at is not null as "isAccepted",
    (extract(epoch from clock_timestamp() - coalesce(c.asked_at, c.sent_at, c.created_at)) * 1000)::float8 as "ageMs",
    (extract(epoch from clock_timestamp() - c.accepted_at) * 1000)::float8 as "acceptedMs"
  from ${scopeOf("$1")}
  cross join lateral (
    select * from calls where account_id = scope.account and id = $2::uuid offset 0
  ) c`;

/** Makes due at once what is written for these accounts, because it may be sent now. */
export const makeCallsDue = (accountIds: readonly string[]): Promise<unknown> =>
  accountIds.length === 0 ? Promise.resolve() : transactionOverAll((query) => query("calls_wake", WAKE, [accountIds]));

const WAKE = `update calls set due_at = now()
  where account_id = any($1::uuid[]) and done_at is null and sent_at is null and due_at > now() and attempts > 0`;
