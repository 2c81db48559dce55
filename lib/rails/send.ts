import { Agent, request } from "undici";

/** How long we wait, the whole answer included (operations.md section 3). Tests make it shorter. */
export const timeouts = { callMs: 8_000, findMs: 5_000 };

/** The status of a request that reached nobody: there was no connection yet. */
export const UNREACHED = 0;

/**
 * A request's time counts only once it is connected, so a connection has a time of its own; and no answer is endless.
 */
const dispatcher = new Agent({ connect: { timeout: 3_000 }, maxResponseSize: 1_000_000 });

const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

export type Sent = { method: "GET" | "POST" | "PUT"; body?: string };
type Request = Sent & { headers: Record<string, string>; signal: AbortSignal };

/**
 * Status and JSON of a provider's answer; undefined for an empty one. Sends once: no redirect is followed, and no
 * status makes it send again, as 421 does with `fetch`. Throws where there is no answer, or one that is no JSON; the
 * error names what went wrong and nothing more, because its own text may quote what was sent.
 */
export async function send(url: string, { body, ...sent }: Request) {
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
