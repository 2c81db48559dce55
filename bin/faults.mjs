/** Error codes of sockets, SQLSTATEs of a server that starts, stops, recovers or is gone, and Prisma's codes for these. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|57P0[1-3]|08\w{3}|P1001|P1017)$/;
const AWAY_MESSAGES =
  /timeout expired|Connection terminated|timeout exceeded when trying to connect|is not queryable|Code: `57P0[1-3]`/;
/** Node's codes, and PostgreSQL's disk_full. */
const DISK_FULL = /^(ENOSPC|EDQUOT|53100)$/;
const DISK_FULL_MESSAGES = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/;

/**
 * The code that Node or PostgreSQL gave an error: `ENOENT`, `42501`. Undefined when it has none.
 *
 * @param {unknown} error
 * @returns {string | undefined}
 */
export function codeOf(error) {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * @param {unknown} error
 * @returns {string}
 */
export function messageOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Whether an error means that the database cannot be reached just now.
 *
 * @param {unknown} error
 */
export function isAway(error) {
  return hasCause(error, AWAY, AWAY_MESSAGES);
}

/**
 * What a person is shown of an error: the message of a plain error, a sentence where the cause is known, else the stack.
 *
 * @param {unknown} error
 * @returns {string}
 */
export function describe(error) {
  if (hasCause(error, DISK_FULL, DISK_FULL_MESSAGES)) {
    return "The disk is full: make room for this folder and the data folder (DATA_DIR), then start again.";
  }
  if (!(error instanceof Error)) return String(error);
  if ("plain" in error && error.plain) return error.message;
  return isAway(error) ? "The database went away: start again." : (error.stack ?? error.message);
}

/**
 * @param {unknown} error
 * @param {RegExp} codes
 * @param {RegExp} messages
 */
function hasCause(error, codes, messages) {
  return causesOf(error).some((cause) => codes.test(codeOf(cause) ?? "") || messages.test(cause.message));
}

/**
 * @param {unknown} error
 * @returns {Error[]}
 */
function causesOf(error) {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
