/** Error codes of sockets and SQLSTATEs of a server that is starting, stopping, recovering or gone, and Prisma's words for the same. */
const AWAY = /^(ECONNREFUSED|ECONNRESET|EPIPE|57P0[1-3]|08\w{3}|P1001|P1017)$/;
const AWAY_MESSAGES =
  /timeout expired|Connection terminated|timeout exceeded when trying to connect|is not queryable|Code: `57P0[1-3]`/;
/** Node's, and PostgreSQL's disk_full. */
const DISK_FULL = /^(ENOSPC|EDQUOT|53100)$/;
const DISK_FULL_MESSAGES = /ENOSPC|EDQUOT|No space left on device|Disk quota exceeded/;

/** Whether an error says that the database could not be asked just now. */
export function isAway(error) {
  return causesOf(error).some(({ code, message }) => AWAY.test(code) || AWAY_MESSAGES.test(message));
}

function isDiskFull(error) {
  return causesOf(error).some(({ code, message }) => DISK_FULL.test(code) || DISK_FULL_MESSAGES.test(message));
}

/** What a person is shown of an error: a sentence where its cause is known, else where it was thrown. */
export function describe(error) {
  if (isDiskFull(error)) {
    return "The disk is full: make room for this folder and the data folder (DATA_DIR), then start again.";
  }
  if (error.plain) return error.message;
  return isAway(error) ? "The database went away: start again." : error.stack;
}

function causesOf(error) {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
