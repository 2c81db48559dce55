import pino from "pino";

/**
 * Writes one JSON line per fact to standard output. Never a secret, a card or a body: callers pass ids and counts. Reads its
 * level from the environment directly, because every module may log before the settings are parsed.
 */
export const log = pino({
  level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === "test" ? "silent" : "info"),
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { error: withoutData, err: withoutData },
  redact: ["*.authorization", "*.client_secret", "*.password", "*.token"],
});

/**
 * What went wrong and where in the code. A database's `detail` and `where` are left out because they quote values that
 * people sent, and so is the text of a `SyntaxError`, because JSON that cannot be parsed may hold a card.
 */
function withoutData(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  if (error instanceof SyntaxError) return { name, stack: stack?.replace(message, "") };
  const several = error instanceof AggregateError && { errors: error.errors.slice(0, 3).map(withoutData) };
  return { name, code, message, stack, ...several };
}
