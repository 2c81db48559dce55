/** The passwords that attackers try first; read at the first need, because few processes ever have one. */
let words: Promise<ReadonlySet<string>> | undefined;

/** Fewer different characters than this are a pattern, not a password. */
const FEWEST = 5;

/** Whether a password is a common one (domain.md section 7), also when digits or marks lengthen it at its ends. */
export async function isCommonPassword(password: string): Promise<boolean> {
  words ??= import("@zxcvbn-ts/language-common").then(({ dictionary }) => new Set(dictionary["passwords-common"]));
  const common = await words;
  const whole = password.toLowerCase();
  const core = whole.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return new Set(whole).size < FEWEST || common.has(whole) || common.has(core);
}
