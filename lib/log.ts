import pino from "pino";

/**
 * One JSON line a fact, on standard output. Never a secret, a card or a body: callers pass ids and counts. Reads its
 * level from the environment directly, because every module may log before the settings are parsed.
 */
export const log = pino({
  level: process.env.LOG_LEVEL ?? (process.env.NODE_ENV === "test" ? "silent" : "info"),
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { error: withoutData, err: withoutData },
  redact: ["*.authorization", "*.client_secret", "*.password", "*.token"],
});

/** What went wrong and where in the code; a database's `detail` and `where` would quote what people wrote. */
function withoutData(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { name, code, message, stack };
}
