import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";

/** How many files a process sends to one account at once, and when one too many may be asked for again. */
const FILES_AT_ONCE = 2;
const RETRY_AFTER_MS = 30_000;

const sending = new Map<string, number>();

type For = { accountId: string; requestId: string };

/**
 * The answer with a file as its body, CSV or JSON by its name, whose lines are read as fast as the caller takes them. The host leaves a caller
 * who takes nothing. The first lines are read before it is answered, so that a failure has an answer of its own; a later
 * one ends the connection. Throws `rate_limit_exceeded` for one file too many.
 */
export async function csvOf(name: string, lines: AsyncIterable<string>, { accountId, requestId }: For) {
  const end = begin(accountId);
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next().catch((error) => {
    end();
    throw error;
  });
  const onFailure = (error: unknown) => log.error({ requestId, error }, "a file could not be sent to its end");
  return {
    answer: { status: 200, body: "" },
    code: undefined,
    stream: streamOf(first, iterator, { end, onFailure }),
    headers: { "content-type": typeOf(name), "content-disposition": `attachment; filename="${name}"` },
  };
}

const typeOf = (name: string) => (name.endsWith(".json") ? "application/json" : "text/csv; charset=utf-8");

/** Takes a place of the account for a file. Returns how to give it back, which counts once. */
function begin(accountId: string): () => void {
  const before = sending.get(accountId) ?? 0;
  if (before >= FILES_AT_ONCE) throw new AppError("rate_limit_exceeded", { retryAfterMs: RETRY_AFTER_MS });
  sending.set(accountId, before + 1);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    const left = (sending.get(accountId) ?? 1) - 1;
    if (left > 0) sending.set(accountId, left);
    else sending.delete(accountId);
  };
}

type Ends = { end: () => void; onFailure: (error: unknown) => void };

function streamOf(first: IteratorResult<string>, iterator: AsyncIterator<string>, { end, onFailure }: Ends) {
  const encoder = new TextEncoder();
  let ready: IteratorResult<string> | undefined = first;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      try {
        const { done, value } = ready ?? (await iterator.next());
        ready = undefined;
        if (done) {
          end();
          return controller.close();
        }
        controller.enqueue(encoder.encode(value));
      } catch (error) {
        end();
        onFailure(error);
        controller.error(error);
      }
    },
    async cancel() {
      end();
      await iterator.return?.();
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
