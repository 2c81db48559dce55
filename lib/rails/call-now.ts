import { mayCrash } from "@/lib/crash-points";
import { forAccount, type Tx } from "@/lib/db";
import { type Answer, AppError, renderError } from "@/lib/errors";
import { claim, findClaimed, findReplay, type Idem, type Intent, keepAnswer, replay } from "@/lib/idempotency";
import { log } from "@/lib/log";
import {
  askSoon,
  beginCall,
  type CallKey,
  finishCallAnd,
  type Kind,
  LOST,
  type Lost,
  readCall,
} from "@/lib/rails/calls";
import { isUnderWay, whileUnderWay } from "@/lib/rails/under-way";

/** A call is not sent later than this after it was asked for: far earlier than it is given up (`GIVEN_UP_MS`). */
const SEND_WITHIN_MS = 20_000;
/** Longer than this no call is under way, whatever a lock says: sent, answered, written down. */
const UNDER_WAY_MS = 40_000;
/** operations.md section 0: how long a repeat waits for the first request. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** A verb whose caller waits for the provider's answer. `Row` is the record that the call is about. */
export type Verb<Said, Row, Result> = {
  kind: Kind<Said>;
  provider: string;

  /** Writes the record, in the first transaction; and how to ask the provider, unless there is nothing to ask. */
  begin(tx: Tx): Promise<{ row: Row; ask?: () => Promise<Said | Lost> }>;

  read(tx: Tx, call: CallKey): Promise<Row>;

  /**
   * The caller's answer about the record as it is. Throws an AppError where the record came to nothing, with `isKept`;
   * and one without where there is no answer yet that would stand for a repeat of the caller's key.
   */
  present(row: Row): Result;
};

/**
 * Makes a call while its caller waits: the first transaction writes the record and that the call is begun; then the
 * provider is asked, with no transaction open; the second writes down what it said. No answer is not a failure: the
 * caller is answered from the record as it is, and the sweep asks what became of our id. Under one key one call is made,
 * and its repeats are answered alike.
 * Throws what the verb's own functions throw, `idempotency_in_progress` after 10 s of waiting for the first request,
 * `idempotency_key_reused`, and `unavailable` where an answer could not be kept.
 */
export async function callNow<Said, Row, Result>(call: CallKey, verb: Verb<Said, Row, Result>, intent: Intent) {
  const { idem } = intent;
  const run = () => callOnce(call, verb, intent);
  const made = await (idem ? whileUnderWay(call.id, run) : run());
  return verb.present(made ? made.row : await repeat(call.accountId, verb, { ...intent, idem: idem as Idem }));
}

/** Undefined when the key was claimed before: whoever did so makes the call. */
async function callOnce<Said, Row, Result>(call: CallKey, verb: Verb<Said, Row, Result>, intent: Intent) {
  const { idem } = intent;
  const startedAt = performance.now();
  const begun = await forAccount(call.accountId, async (tx) => {
    if (idem && !(await claim(tx, idem, call.id))) return undefined;
    const { row, ask } = await verb.begin(tx);
    if (ask) await beginCall(tx, { ...call, kind: verb.kind.name, provider: verb.provider });
    else await keep(tx, row, verb, intent);
    mayCrash("call.beginning");
    return { row, ask };
  });
  if (begun) mayCrash("call.begun");
  if (!begun?.ask) return begun;

  const { ask } = begun;
  const send = async () => (performance.now() - startedAt > SEND_WITHIN_MS ? LOST : ask());
  const said = await send().catch((error) => {
    log.warn({ callId: call.id, error }, "a provider did not answer");
    return null;
  });
  mayCrash("call.answered");
  // From here on money may have moved: whatever fails, the sweep finishes the call.
  const answer = (tx: Tx) => keepAnswerOf(tx, call, verb, intent);
  const write = said ? finishCallAnd(verb.kind, call, said, answer) : leaveOpen(call, verb, intent);
  const ended = await write.catch((error) => {
    log.error({ callId: call.id, error }, "what became of a call was not written down; the sweep will");
    return idem ? leaveOpen(call, verb, intent).catch(unavailable) : { row: begun.row, isAnswerOurs: true };
  });
  mayCrash("call.finished");
  return ended.isAnswerOurs ? ended : replay(idem as Idem);
}

type Ended<Row> = { row: Row; isAnswerOurs: boolean };

/** The second transaction where nobody knows what the provider said: the sweep asks soon. */
const leaveOpen = <Said, Row, Result>(
  call: CallKey,
  verb: Verb<Said, Row, Result>,
  intent: Intent,
): Promise<Ended<Row>> =>
  forAccount(call.accountId, async (tx) => {
    await askSoon(tx, call);
    const ended = await keepAnswerOf(tx, call, verb, intent);
    mayCrash("call.finishing");
    return ended;
  });

/**
 * The record as it is now. The caller's answer about it is kept under its key before it is given, so that a repeat is
 * given the same; it is not ours to give when another answer stands.
 */
async function keepAnswerOf<Said, Row, Result>(
  tx: Tx,
  call: CallKey,
  verb: Verb<Said, Row, Result>,
  intent: Intent,
): Promise<Ended<Row>> {
  const row = await verb.read(tx, call);
  return { row, isAnswerOurs: await keep(tx, row, verb, intent) };
}

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
 * is rendered from the record that it left. Resolves to the record where no answer of it stands yet.
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
  const { row } = await leaveOpen(call, verb, intent);
  await findReplay(idem);
  return row;
}
