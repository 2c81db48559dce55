import { forAccount, type Tx } from "@/lib/db";
import { type Answer, AppError, renderError } from "@/lib/errors";
import { claim, findClaimed, findReplay, type Idem, type Intent, keepAnswer, replay } from "@/lib/idempotency";
import { type Ask, type CallKey, type Kind, leaveOpen, makeCall, readCall } from "@/lib/rails/calls";
import { isUnderWay, whileUnderWay } from "@/lib/rails/under-way";

/** Longer than this no call is under way, whatever a lock says: sent, answered, written down. */
const UNDER_WAY_MS = 40_000;
/** operations.md section 0: how long a repeat waits for the first request. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** A verb whose caller waits for the provider's answer. `Row` is the record that the call is about. */
export type Verb<Said, Row, Result> = {
  kind: Kind<Said>;
  provider: string;

  /** Writes the record; and how to ask the provider, unless there is nothing to ask. */
  begin(tx: Tx): Promise<{ row: Row; ask?: Ask<Said> }>;

  read(tx: Tx, call: CallKey): Promise<Row>;

  /**
   * The caller's answer about the record as it is. Throws an AppError where the record came to nothing, with `isKept`;
   * and one without where there is no answer yet that would stand for a repeat of the caller's key.
   */
  present(row: Row): Result;
};

/**
 * Makes a call (`makeCall`) while its caller waits. Where the provider does not answer in time the caller is answered
 * from the record as it is. Under one key one call is made, and its repeats are answered alike.
 * Throws what the verb's own functions throw, a replay, `idempotency_in_progress` after 10 s of waiting for the first
 * request, `idempotency_key_reused`, and `unavailable` where an answer could not be kept.
 */
export async function callNow<Said, Row, Result>(call: CallKey, verb: Verb<Said, Row, Result>, intent: Intent) {
  const { idem } = intent;
  const run = () => callOnce(call, verb, intent);
  const made = await (idem ? whileUnderWay(call.id, run) : run());
  return verb.present(made ? made.row : await repeat(call.accountId, verb, { ...intent, idem: idem as Idem }));
}

type Made<Row> = { row: Row; isAnswerOurs: boolean };

/** Undefined when the key was claimed before: whoever did so makes the call. */
async function callOnce<Said, Row, Result>(call: CallKey, verb: Verb<Said, Row, Result>, intent: Intent) {
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
  const also = (tx: Tx) => readAndKeep(tx, call, verb, intent);
  const otherwise = async () => (idem ? leaveOpen(call, also).catch(unavailable) : begun);
  const made = (await makeCall(call, { kind, provider, begin, also, otherwise })) ?? begun;
  if (idem && made && !made.isAnswerOurs) return replay(idem);
  return made;
}

/** The record as it is now; the caller's answer about it is not ours to give when another one stands. */
async function readAndKeep<Said, Row, Result>(
  tx: Tx,
  call: CallKey,
  verb: Verb<Said, Row, Result>,
  intent: Intent,
): Promise<Made<Row>> {
  const row = await verb.read(tx, call);
  return { row, isAnswerOurs: await keep(tx, row, verb, intent) };
}

/** Keeps the caller's answer under its key before it is given, so that a repeat is given the same. False: one stands. */
async function keep<Said, Row, Result>(
  tx: Tx,
  row: Row,
  { present }: Verb<Said, Row, Result>,
  { idem, requestId }: Intent,
): Promise<boolean> {
  const answer = idem && answerOf(idem);
  return answer ? keepAnswer(tx, idem, answer) : true;

  function answerOf({ render }: Idem): Answer | undefined {
    try {
      return render(present(row));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return error.options.isKept ? renderError(error, requestId) : undefined;
    }
  }
}

/** The answer could not be kept, so none is given: a repeat is answered from the record. */
function unavailable(cause: unknown): never {
  throw new AppError("unavailable", { cause });
}

/**
 * A repeat under a key: its first request may still be at it, and then answers for both; or that is gone, and the answer
 * is rendered from the record that it left. Resolves to the record where there is no answer that would stand.
 */
async function repeat<Said, Row, Result>(
  accountId: string,
  verb: Verb<Said, Row, Result>,
  intent: Intent & { idem: Idem },
): Promise<Row> {
  const { idem } = intent;
  const call = { accountId, id: await forAccount(accountId, (tx) => findClaimed(tx, idem)) };
  const waitedFrom = performance.now();
  for (;;) {
    await findReplay(idem);
    const { ageMs } = await readCall(call);
    if (ageMs > UNDER_WAY_MS || !(await isUnderWay(call.id))) break;
    if (performance.now() - waitedFrom > WAIT_MS) throw new AppError("idempotency_in_progress");
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  const { row } = await leaveOpen(call, (tx) => readAndKeep(tx, call, verb, intent));
  await findReplay(idem);
  return row;
}
