/** The given path if it is our own, or else the first page (`first`), so that a link to sign in cannot lead to another site. */
export const pathOfOurs = (next: unknown, first = "/home"): string =>
  typeof next === "string" && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : first;
