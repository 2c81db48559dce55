/** A path of our own and nothing else, so that a link to sign in cannot lead away; the first page for anything else. */
export const pathOfOurs = (next: unknown): string =>
  typeof next === "string" && /^\/(?![/\\])[\x20-\x7e]*$/.test(next) ? next : "/home";
