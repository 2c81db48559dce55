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

/** No call is sent so late, so an id that a provider does not know then never reached it. */
export const GIVEN_UP_MS = 15 * 60_000;

/** One kind of call: how its end is found and written down. A row of `calls` in `lib/jobs/registry.ts`. */
export type Kind<Answer> = {
  /** Names the kind in `rail_calls`. */
  name: string;

  /** What the provider says became of our id; null: it does not know it. Throws while there is no answer, or no end. */
  find(call: Call): Promise<Answer | null>;

  /** Which accounts the answer is written for, where it is more than the call's own: those whose money it may move. */
  accounts?(call: CallKey): Promise<string[]>;

  /** Writes down what became of the call, once: of several answers at once or after one another only the first. */
  write(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;

  /** Another answer that comes after the first was written; where this is not there, it changes nothing. */
  writeLate?(tx: Tx, call: CallKey, answer: Answer | Lost): Promise<unknown>;
};

/** Notes in a verb's first transaction that a provider is about to be called, so that the end will be asked for. */
export async function beginCall(
  tx: Tx,
  { accountId, id, kind, provider }: CallKey & { kind: string; provider: string },
) {
  await tx.railCall.create({ data: { accountId, id, kind, provider } });
}

/**
 * The second transaction of a call: what became of it, with all that follows, and what `also` writes, together or not at
 * all. Safe to run twice, and twice at once. Resolves to what `also` does.
 */
export async function finishCallAnd<Answer, T>(
  kind: Kind<Answer>,
  { accountId, id }: CallKey,
  answer: Answer | Lost,
  also: (tx: Tx) => Promise<T>,
): Promise<T> {
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

/** The same with nothing else to write. */
export const finishCall = <Answer>(kind: Kind<Answer>, call: CallKey, answer: Answer | Lost) =>
  finishCallAnd(kind, call, answer, async () => {});

/** Has the sweep ask about a call without an answer 2 s from now. */
export const askSoon = (tx: Tx, { accountId, id }: CallKey) =>
  tx.$executeRaw`
    update rail_calls set ask_at = now() + interval '2 seconds'
    where account_id = ${accountId}::uuid and id = ${id}::uuid and answered_at is null`;

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
  if (!answer && call.ageMs < GIVEN_UP_MS) throw new Error(`${call.provider} does not know ${call.id} yet`);
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
