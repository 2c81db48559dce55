import { forAccount, type Query, type Tx } from "@/lib/db";
import { type Answer, AppError, renderError } from "@/lib/errors";
import { claim, findClaimed, findReplay, freeKey, type Idem, type Intent, keepAnswer, replay } from "@/lib/idempotency";
import { type Ask, type CallKey, type CallKind, leaveOpen, makeCall, readCall } from "@/lib/outside/calls";
import { isInProgress, whileInProgress } from "@/lib/outside/in-progress";

/**
 * No call is under way for longer than this, from its sending to the writing of its answer, even if its lock is held.
 */
const UNDER_WAY_MS = 40_000;
/** How long a repeat waits for the first request. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** A verb whose caller waits for the provider's answer. `Row` is the record that the call is about. */
type Verb<Outcome, Row, Result> = {
  kind: CallKind<Outcome, Row>;
  provider: string;

  /** Writes the record, and returns how to ask the provider, if there is something to ask. */
  begin(tx: Tx): Promise<{ row: Row; ask?: Ask<Outcome> }>;

  read(query: Query, call: CallKey): Promise<Row>;

  /**
   * The caller's answer, from the record as it is. Throws an AppError with `isKept` where the record failed for good,
   * one with `freesKey` where nothing was done, and one without either while a repeat of the caller's key may still get another
   * answer.
   */
  present(row: Row): Result | Promise<Result>;
};

/**
 * Makes a call (`makeCall`) while its caller waits. Where the provider does not answer in time, the caller is answered
 * from the record as it is. One key makes one call, and all repeats of it get the same answer.
 * Throws what the verb's own functions throw, a replay, `idempotency_in_progress` after 10 s of waiting for the first
 * request, `idempotency_key_reused`, and `unavailable` where an answer could not be stored.
 */
export async function callAndWait<Outcome, Row, Result>(
  call: CallKey,
  verb: Verb<Outcome, Row, Result>,
  intent: Intent,
) {
  const { idem } = intent;
  const run = () => callOnce(call, verb, intent);
  const made = await (idem ? whileInProgress(call.id, run) : run());
  return verb.present(made ? made.row : await repeat(call.accountId, verb, { ...intent, idem: idem as Idem }));
}

type Made<Row> = { row: Row; isAnswerOurs: boolean };

/** Makes the call. Undefined when another request has claimed the key, and so makes the call. */
async function callOnce<Outcome, Row, Result>(call: CallKey, verb: Verb<Outcome, Row, Result>, intent: Intent) {
  const { idem } = intent;
  const { kind, provider } = verb;
  let begun = undefined as Made<Row> | undefined;
  const begin = async (tx: Tx) => {
    if (idem && !(await claim(tx, idem, call.id))) return undefined;
    const { row, ask } = await verb.begin(tx);
    begun = { row, isAnswerOurs: true };
    if (!ask) await keep(tx, row, verb, intent);
    return ask;
  };
  const also = (query: Query, row?: Row) => readAndKeep(query, call, verb, intent, row);
  const otherwise = async () => (idem ? leaveOpen(call, also).catch(unavailable) : begun);
  const made = (await makeCall(call, { kind, provider, begin, also, otherwise })) ?? begun;
  if (idem && made && !made.isAnswerOurs) return replay(idem);
  return made;
}

/**
 * Reads the record, if the call did not write it, and stores the caller's answer about it. `isAnswerOurs` is false where
 * the key has an answer already.
 */
async function readAndKeep<Outcome, Row, Result>(
  query: Query,
  call: CallKey,
  verb: Verb<Outcome, Row, Result>,
  intent: Intent,
  written?: Row,
): Promise<Made<Row>> {
  const row = written ?? (await verb.read(query, call));
  return { row, isAnswerOurs: await keep(query, row, verb, intent) };
}

/** Stores the caller's answer under its key before it is given. Returns false where the key has an answer already. */
async function keep<Outcome, Row, Result>(
  tx: Tx | Query,
  row: Row,
  { present }: Verb<Outcome, Row, Result>,
  { idem, requestId }: Intent,
): Promise<boolean> {
  const answer = idem && (await answerOf(idem));
  return answer ? keepAnswer(tx, idem, answer) : true;

  async function answerOf({ render }: Idem): Promise<Answer | undefined> {
    try {
      return render(await present(row));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.options.freesKey) await freeKey(tx, idem as Idem);
      return error.options.isKept ? renderError(error, requestId) : undefined;
    }
  }
}

/** An answer that could not be stored is not given; a repeat is answered from the record. */
function unavailable(cause: unknown): never {
  throw new AppError("unavailable", { cause });
}

/**
 * Answers a repeat of a key. It waits for the answer of the first request while that is under way. After a crash of the
 * first request it renders the answer from the record. Resolves to the record where no answer is final yet.
 */
async function repeat<Outcome, Row, Result>(
  accountId: string,
  verb: Verb<Outcome, Row, Result>,
  intent: Intent & { idem: Idem },
): Promise<Row> {
  const { idem } = intent;
  const call = { accountId, id: await forAccount(accountId, (tx) => findClaimed(tx, idem)) };
  const waitedFrom = performance.now();
  for (;;) {
    await findReplay(idem);
    const { ageMs } = await readCall(call);
    if (ageMs > UNDER_WAY_MS || !(await isInProgress(call.id))) break;
    if (performance.now() - waitedFrom > WAIT_MS) throw new AppError("idempotency_in_progress");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const { row } = await leaveOpen(call, (query) => readAndKeep(query, call, verb, intent));
  await findReplay(idem);
  return row;
}
