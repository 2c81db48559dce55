/** How long we wait, the whole answer included (operations.md section 3). Tests make it shorter. */
export const timeouts = { chargeMs: 8_000, findMs: 5_000 };

/** The status of a call that reached nobody: there was no connection yet. */
export const UNREACHED = 0;

const NO_CONNECTION = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT)$/;

/**
 * Status and JSON of an acquirer's answer; undefined for an empty one. Throws for a redirect, what is no JSON, and no
 * answer. What went wrong is told by its name alone: its text may quote what was sent.
 */
export async function call(url: string, sent: Omit<RequestInit, "redirect">) {
  try {
    const response = await fetch(url, { ...sent, redirect: "error" });
    const text = await response.text();
    return { status: response.status, told: text === "" ? undefined : (JSON.parse(text) as unknown) };
  } catch (error) {
    const { name, cause } = error as Error;
    const { code = "" } = (cause ?? {}) as NodeJS.ErrnoException;
    if (NO_CONNECTION.test(code)) return { status: UNREACHED, told: undefined };
    throw new Error(`The acquirer gave no answer: ${name} ${code}`.trimEnd());
  }
}
