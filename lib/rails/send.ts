import { Agent, request } from "undici";
import { countCall, type Outcome } from "@/lib/monitoring/metrics";

/** The time limits of a call and of a look-up, for the whole answer. Tests shorten them. */
export const timeouts = { callMs: 8_000, findMs: 5_000 };

/** The status of a request that reached no server, because no connection was made. */
export const UNREACHED = 0;

/**
 * undici counts a request's time only from its connection on, so a connection has a limit of its own. The size of an
 * answer is limited too.
 */
const dispatcher = new Agent({ connect: { timeout: 3_000 }, maxResponseSize: 1_000_000 });

const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

export type Sent = { method: "GET" | "POST" | "PUT" | "PATCH"; body?: string };

/** Of whom what is asked, for the figures: of each there are few, and neither holds an id. */
type Asked = { provider: string; kind: string };
type Request = Sent & { headers: Record<string, string>; signal: AbortSignal; asked: Asked };
type Answer = { status: number; json: unknown };

/**
 * Status and JSON of a provider's answer; the JSON is undefined for an empty one. It sends once: it follows no redirect
 * and repeats at no status, as `fetch` does at 421. Throws where there is no answer, or one that is not JSON. The error
 * has a text of ours, because the original text may quote what was sent.
 */
export async function send(url: string, { asked, ...sent }: Request): Promise<Answer> {
  const startedAt = performance.now();
  const count = (outcome: Outcome) => countCall({ ...asked, outcome }, performance.now() - startedAt);
  try {
    const answer = await sendOnce(url, sent);
    count(outcomeOf(answer));
    return answer;
  } catch (error) {
    count("no_answer");
    throw error;
  }
}

function outcomeOf({ status }: Answer): Outcome {
  if (status === UNREACHED) return "unreached";
  if (status >= 500) return "failed";
  return status >= 400 ? "refused" : "answered";
}

async function sendOnce(url: string, { body, ...sent }: Omit<Request, "asked">): Promise<Answer> {
  try {
    const response = await request(url, { ...sent, dispatcher, body: body ?? null });
    const text = await response.body.text();
    return { status: response.statusCode, json: text === "" ? undefined : (JSON.parse(text) as unknown) };
  } catch (error) {
    const { name, code = "" } = error as NodeJS.ErrnoException;
    if (NO_CONNECTION.test(code)) return { status: UNREACHED, json: undefined };
    throw new Error(`The provider gave no answer: ${name} ${code}`.trimEnd());
  }
}
